/**
 * Keeps the tables as the server has them: from the disk at once, then a delta or a snapshot, then the stream.
 *
 * Of all tabs of a browser one has the stream and tells the others what comes. Each tab knows up to which event it has
 * everything: one that missed something asks for it.
 */
import { batch } from "@preact/signals";
import { type Me, Problem, type SyncDelta, type SyncSnapshot } from "@kbwork/client";
import * as changes from "./changes.ts";
import * as disk from "./disk.ts";
import { place, reached } from "./place.ts";
import { away, server } from "./server.ts";
import { ended, me, offlineSince, ready, signIn } from "./session.ts";
import { apply, clear, dump, isKept, KINDS, put, rowsOf } from "./tables.ts";

const CLOSED_DAYS = 90;
const SCOPES = { closed_days: CLOSED_DAYS };
/** What came is written to the disk so long after it came, with what comes meanwhile; what is there at first sooner. */
const SAVE_MS = 10_000;
const SAVE_FIRST_MS = 1_000;
const RETRY_MS = 5_000;

type Delta = Omit<SyncDelta, "more">;
/** What tabs tell each other: a delta, and behind which event it stands; or that it is over. */
type Word = { since: number; delta: Delta } | { over: string };

const etags = new Map<string, string>();
let member = "";
let saving: ReturnType<typeof setTimeout> | undefined;
/** One thing after the other, in the order in which it was told. */
let turn: Promise<void> = Promise.resolve();
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("kbwork");

/** Begin; comes back when everything is here. */
export async function start(): Promise<void> {
  if (tabs) tabs.onmessage = ({ data }: MessageEvent<Word>) => heard(data);
  const who = server.auth.me(undefined, { retries: 0 }).catch((error: unknown) => error);
  const kept = await disk.load();
  if (kept) fill(kept);
  await inTurn(() => meet(who));
  void lead();
}

/** What was there at the last visit. Nobody sees it before the server said who is here, or that it is not there. */
function fill(kept: disk.Kept): void {
  batch(() => {
    for (const rows of kept.rows) put(rows, false);
  });
  place.seq = kept.seq;
  place.access = kept.access;
  member = kept.member;
  for (const [kind, etag] of kept.etags) etags.set(kind, etag);
}

/** Sign out here and in every other tab, and leave nothing behind. */
export async function leave(): Promise<void> {
  await disk.forgetChanges();
  // As the form of the pages does, which takes the cookie back and forgets the browser.
  await fetch("/signout", { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  await over("signed-out");
}

/** Have what there is now. */
function catchUp(): Promise<void> {
  return inTurn(async () => {
    const before = place.seq;
    await follow();
    if (place.seq !== before) save();
  });
}

function inTurn(work: () => Promise<void>): Promise<void> {
  turn = turn.then(work).catch(fell);
  return turn;
}

/** Who am I, and what is there now? Asked until the server answers. */
async function meet(first: Promise<unknown>): Promise<void> {
  for (let asked = first; ; asked = server.auth.me(undefined, { retries: 0 })) {
    try {
      const now = await asked;
      if (now instanceof Error) throw now;
      offlineSince.value = undefined;
      await greet(now as Me);
      if (place.seq < 0) await take();
      else await follow();
      ready.value = true;
      save(SAVE_FIRST_MS);
      return;
    } catch (error) {
      if (!away(error)) throw error;
      offlineSince.value ??= Date.now();
      ready.value = place.seq >= 0;
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
  }
}

/** Somebody is here: what is left of somebody else goes, what is theirs is shown. */
async function greet(now: Me): Promise<void> {
  if (member && now.member.id !== member) await forget();
  me.value = now;
  member = now.member.id;
  if (place.seq >= 0) ready.value = true;
  await changes.resume();
}

async function take(): Promise<void> {
  const had = [...etags.values()];
  let cursor: string | null = null;
  let first: SyncSnapshot | undefined;
  do {
    const page: SyncSnapshot = await server.sync.snapshot({ scopes: SCOPES, parts: KINDS, etags: had, cursor });
    batch(() => {
      if (!first) forgetIssues();
      for (const part of page.parts) {
        if (part.scope === "org" && isKept(part.kind)) etags.set(part.kind, part.etag);
        if (!part.unchanged) put(rowsOf(part), part.scope === "org");
      }
      ready.value = true;
    });
    first ??= page;
    cursor = page.next;
  } while (cursor);
  has({ ...first, upserts: [], gone: [] });
}

function forgetIssues(): void {
  put({ kind: "issue", columns: [], rows: [] }, true);
}

async function follow(): Promise<void> {
  for (;;) {
    const asked = { since: place.seq, access: place.access, parts: KINDS, etags: [...etags.values()], scopes: SCOPES };
    const delta = await server.sync.delta(asked);
    await takeIn(delta);
    if (delta.reset || !delta.more) return;
  }
}

/** A reset is a snapshot in the place of a delta. */
async function takeIn(delta: Delta): Promise<void> {
  if (delta.reset) await take();
  else has(delta);
}

function has(delta: Pick<Delta, "seq" | "access" | "upserts" | "gone">): void {
  apply(delta);
  for (const told of delta.upserts) if (told.whole && told.etag && isKept(told.kind)) etags.set(told.kind, told.etag);
  place.access = delta.access;
  reached(delta.seq);
  changes.reached(place.seq);
}

/** Have the stream, as soon as no other tab has it, for as long as this one is open. */
function lead(): Promise<void> {
  const locks = (navigator as { locks?: LockManager }).locks; // pages by plain http have none
  return locks ? locks.request("kbwork-stream", listen) : listen();
}

async function listen(): Promise<void> {
  await catchUp();
  const onBreak = (): void => {
    offlineSince.value ??= Date.now();
  };
  while (ended.value === undefined) {
    const { seq: since, access } = place;
    try {
      const options = { rows: true, since, access, closedDays: CLOSED_DAYS, retries: Infinity, onBreak };
      for await (const message of server.stream(options)) {
        offlineSince.value = undefined;
        if (message.kind === "bye") return await over((message as { reason: string }).reason);
        if (message.kind === "rows" && (await told(message as Delta))) break; // begun anew
      }
    } catch (error) {
      fell(error);
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
  }
}

/** A delta came by this tab's stream. Answers whether it was a reset. */
async function told(delta: Delta): Promise<boolean> {
  const since = place.seq;
  await inTurn(() => (delta.seq > place.seq || delta.reset ? takeIn(delta) : Promise.resolve()));
  tabs?.postMessage({ since, delta } satisfies Word);
  save();
  return delta.reset;
}

/** Another tab has the stream. */
function heard(word: Word): void {
  if ("over" in word) {
    ended.value = word.over;
    clear();
    signIn();
    return;
  }
  offlineSince.value = undefined;
  const { since, delta } = word;
  void inTurn(async () => {
    if (place.seq < 0 || (!delta.reset && delta.seq <= place.seq)) return;
    if (place.seq < since) await follow();
    else await takeIn(delta);
  });
}

/** It ended for the person's rights: nothing stays, here or on the disk. */
async function over(reason: string): Promise<void> {
  ended.value = reason;
  tabs?.postMessage({ over: reason } satisfies Word);
  await forget();
  signIn();
}

async function forget(): Promise<void> {
  clearTimeout(saving);
  saving = undefined;
  clear();
  etags.clear();
  place.seq = -1;
  me.value = undefined;
  member = "";
  changes.forget();
  await disk.wipe();
}

function fell(error: unknown): void {
  if (error instanceof Problem && error.status === 401) void over("unauthenticated");
  else if (away(error)) offlineSince.value ??= Date.now();
  else reportError(error);
}

/** By the tab that has the stream, or while there is none: others would write the same. */
function save(laterMs = SAVE_MS): void {
  saving ??= setTimeout(() => {
    saving = undefined;
    const write = (): void => {
      if (place.seq >= 0 && member) void disk.save({ member, ...place, etags: [...etags], rows: dump() });
    };
    if ("requestIdleCallback" in globalThis) requestIdleCallback(write, { timeout: SAVE_MS });
    else write();
  }, laterMs);
}
