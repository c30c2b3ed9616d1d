/**
 * Keeps the tables as the server has them: from the disk at once, then a delta or a snapshot, then the stream.
 *
 * Of all tabs of a browser one has the stream and tells the others what comes. Each tab knows up to which event it has
 * everything: one that missed something asks for it.
 */
import { batch } from "@preact/signals";
import { type Me, type PresentOn, Problem, type SyncDelta, type SyncSnapshot } from "@kbwork/client";
import * as changes from "./changes.ts";
import * as disk from "./disk.ts";
import { dropDrafts } from "./drafts.ts";
import { refreshInbox } from "./inbox.ts";
import type { Id } from "./kinds.ts";
import { forgetOutsiders } from "./outsiders.ts";
import { place, reached, resets } from "./place.ts";
import { tellPresent } from "./present.ts";
import { endPushes } from "./pushes.ts";
import { away, server } from "./server.ts";
import { ended, greeted, me, offlineSince, ready, signIn } from "./session.ts";
import { apply, clear, dump, isKept, KINDS, ofColumns, ofRows, put, tables, type Things } from "./tables.ts";

const CLOSED_DAYS = 90;
const SCOPES = { closed_days: CLOSED_DAYS };
/** What came is written to the disk so long after it came, with what comes meanwhile; what is there at first sooner. */
const SAVE_MS = 10_000;
const SAVE_FIRST_MS = 1_000;
const RETRY_MS = 5_000;
const MOST_SNAPSHOTS = 5;
const SIGNED_OUT = "signed-out";

type Delta = Omit<SyncDelta, "more">;
/** What tabs tell each other: a delta and behind which event it stands, that it is over, who is here, that the inbox changed, who is where. */
type Word = { since: number; delta: Delta } | { over: string } | { here: string } | { news: "notifications" } | { present: PresentOn };

const etags = new Map<string, string>();
let member = "";
/** What the disk had, until it is known whether it may be shown. */
let kept: (Omit<disk.Kept, "rows"> & { readonly things: readonly (readonly [kind: string, Things])[] }) | undefined;
/** Everything, asked for beside who is here where nothing is kept. */
let early: Promise<SyncSnapshot | undefined> | undefined;
let saving: ReturnType<typeof setTimeout> | undefined;
/** One thing after the other, in the order in which it was told. */
let turn: Promise<void> = Promise.resolve();
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("kbwork");

/** Begin; comes back when everything is here. */
export async function start(): Promise<void> {
  if (tabs) tabs.onmessage = ({ data }: MessageEvent<Word>) => heard(data);
  const who = server.auth.me(undefined, { retries: 0 }).catch((error: unknown) => error);
  if (disk.isBlank()) early = ask([], null).catch(() => undefined); // what is wrong is told when it is asked for again
  const found = await disk.load();
  if (found) {
    early = undefined;
    const { rows, ...head } = found;
    kept = { ...head, things: rows.map((some) => [some.kind, ofRows(some)]) }; // while the server says who is here
  }
  await inTurn(() => meet(who));
  void lead();
}

/** What was there at the last visit. It is in no table before the server said who is here, or that it is not there. */
function fill(): void {
  if (!kept) return;
  const { things, seq, access, me: whose, etags: had } = kept;
  kept = undefined;
  batch(() => {
    for (const [kind, some] of things) put(kind, some, false);
  });
  place.seq = seq;
  place.access = access;
  me.value ??= whose;
  member = whose.member.id;
  for (const [kind, etag] of had) etags.set(kind, etag);
}

/** Sign out here and in every other tab, and leave nothing behind. Throws where the server did not do it. */
export async function leave(): Promise<void> {
  // As the form of the pages does, which takes the cookie back and forgets the browser.
  const answer = await fetch("/signout", { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  if (answer.type !== "opaqueredirect") throw new Error(answer.statusText); // the cookie is still here
  await disk.forgetChanges();
  await over(SIGNED_OUT);
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
      await follow();
      ready.value = true;
      save(SAVE_FIRST_MS);
      return;
    } catch (error) {
      if (!away(error)) throw error;
      offlineSince.value ??= Date.now();
      if (kept) {
        fill();
        ready.value = place.seq >= 0;
        await changes.resume();
      }
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
  }
}

/** Somebody is here: what is left of somebody else goes, what is theirs is shown. */
async function greet(now: Me): Promise<void> {
  const whose = kept?.me.member.id ?? member;
  if (whose && now.member.id !== whose) {
    await forget();
    // What was shown of somebody else without a network is in more places than the tables.
    if (ready.value) return await anew();
  }
  fill();
  me.value = now;
  greeted.value = true;
  member = now.member.id;
  tabs?.postMessage({ here: member } satisfies Word);
  if (place.seq >= 0) ready.value = true;
  await changes.resume();
  void refreshInbox();
}

/** Begin again, with nothing of before. */
function anew(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}

async function take(): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await takeAll();
    } catch (error) {
      // What one may see changed between two pages: the first of them is of before.
      if (!(error instanceof Problem) || error.slug !== "stale" || tries === MOST_SNAPSHOTS) throw error;
    }
  }
}

function ask(had: readonly string[], cursor: string | null): Promise<SyncSnapshot> {
  return server.sync.snapshot({ scopes: SCOPES, parts: KINDS, etags: [...had], cursor });
}

async function takeAll(): Promise<void> {
  const had = [...etags.values()];
  // Where issues are shown already they stay until all of the new ones are here.
  const anew = tables.issue.size > 0 ? new Map<Id, never>() : undefined;
  let cursor: string | null = null;
  let first: SyncSnapshot | undefined;
  do {
    const page: SyncSnapshot = (await early) ?? (await ask(had, cursor));
    early = undefined;
    batch(() => {
      for (const part of page.parts) {
        if (part.scope === "org" && isKept(part.kind)) etags.set(part.kind, part.etag);
        if (part.unchanged) continue;
        if (anew && part.kind === "issue") for (const [id, issue] of ofColumns(part)) anew.set(id, issue);
        else put(part.kind, ofColumns(part), part.scope === "org");
      }
      ready.value = true;
    });
    first ??= page;
    cursor = page.next;
  } while (cursor);
  if (anew) put("issue", anew, true);
  place.seq = first.seq; // a server that was restored stands further back than it did
  has({ ...first, upserts: [], gone: [] });
}

async function follow(): Promise<void> {
  if (place.seq < 0) return take();
  for (;;) {
    const asked = { since: place.seq, access: place.access, parts: KINDS, etags: [...etags.values()], scopes: SCOPES };
    const delta = await server.sync.delta(asked);
    await takeIn(delta);
    if (delta.reset || !delta.more) return;
  }
}

/** A reset is a snapshot in the place of a delta. */
async function takeIn(delta: Delta): Promise<void> {
  if (delta.reset) {
    await take();
    resets.value++;
  } else has(delta);
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
  if (ended.value !== undefined) return;
  await catchUp();
  // Who missed what happened between two streams asks for it; what another tab did not send is sent by this one.
  const { seq, access } = place;
  tabs?.postMessage({ since: seq, delta: { seq, access, upserts: [], gone: [], reset: false } } satisfies Word);
  if (me.value) await changes.resume();
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
        // What changed before the stream began, or while it was broken, is told by nobody.
        if (message.kind === "notifications" || message.kind === "hello") {
          tabs?.postMessage({ news: "notifications" } satisfies Word);
          void refreshInbox();
        }
        if (message.kind === "presence") {
          const on = message as unknown as PresentOn;
          tabs?.postMessage({ present: on } satisfies Word);
          tellPresent(on);
        }
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
    void end(word.over);
    return;
  }
  if ("here" in word) {
    // The cookie is somebody else's now: what this tab shows, and what it would send, is not theirs.
    if (me.value && word.here !== member) location.reload();
    return;
  }
  if ("news" in word) {
    void refreshInbox();
    return;
  }
  if ("present" in word) {
    tellPresent(word.present);
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
  tabs?.postMessage({ over: reason } satisfies Word);
  await end(reason);
}

/** Heard of in several ways, it ends once. */
async function end(reason: string): Promise<void> {
  if (reason === SIGNED_OUT) dropDrafts();
  if (ended.value !== undefined) return;
  ended.value = reason;
  await forget();
  signIn();
}

async function forget(): Promise<void> {
  void endPushes();
  clearTimeout(saving);
  saving = undefined;
  kept = undefined;
  early = undefined;
  clear();
  etags.clear();
  place.seq = -1;
  me.value = undefined;
  greeted.value = false;
  member = "";
  changes.forget();
  forgetOutsiders();
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
      if (place.seq >= 0 && me.value && greeted.value) void disk.save({ me: me.value, ...place, etags: [...etags], rows: dump() });
    };
    if ("requestIdleCallback" in globalThis) requestIdleCallback(write, { timeout: SAVE_MS });
    else write();
  }, laterMs);
}
