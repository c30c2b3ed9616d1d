/**
 * Changes that a person made here: shown at once, sent in their order, and kept on the disk until the server answered.
 *
 * What was refused, or what somebody else changed meanwhile, is taken back in its fields alone and said at the issue.
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { type In, type Name, Problem, type PushedChange, type PushResult } from "@kbwork/client";
import * as disk from "./disk.ts";
import type { Issue } from "./kinds.ts";
import { place } from "./place.ts";
import { away, INSTALLATION, random, server } from "./server.ts";
import { greeted, may, myId, offlineSince } from "./session.ts";
import { tables } from "./tables.ts";

const MOST = 50;
const RETRY_MS = 4_000;
const MOST_UNDO = 50;

export interface Change {
  readonly id: string;
  /** Whose it is: nobody else's session sends it. */
  readonly member: string;
  readonly issue: number;
  readonly op: Name;
  readonly input: object;
  /** How the issue looks with it. */
  readonly over: Partial<Issue>;
  /** What it does, in words. */
  readonly title: string;
  readonly baseSeq: number;
  /** Those of one act have one name: they are taken back together. */
  readonly group: string;
  readonly at: number;
}

/** Why a change was taken back. */
export interface Trouble {
  readonly change: Change;
  readonly detail: string;
  /** What others made of the same fields meanwhile; none: the server refused. */
  readonly others: readonly PushedChange[];
}

interface Done {
  readonly title: string;
  readonly group: string;
  /** What is taken back together: the number of an event of a change, or the token of a change of many. */
  readonly acts: readonly (number | string)[];
}

/** Not answered yet. */
export const waiting = signal<readonly Change[]>([]);
/** Done, and not told by the server yet. */
let settling: (Change & { seq: number })[] = [];
/** By issue, the first one first: each stays until somebody read it, or changed the same anew. */
export const troubles = signal<ReadonlyMap<number, readonly Trouble[]>>(new Map());
/** What can be taken back by a key, the last one at the end. */
export const done = signal<readonly Done[]>([]);
/** So many calls are on their way whose answers say what can be taken back. */
const acting = signal(0);
export const unsent = computed(() => new Set(waiting.value.map((change) => change.issue)));

let sending = false;
let retry: ReturnType<typeof setTimeout> | undefined;
/** When the last one was made: of two, the later one has the later time, whatever the clock does. */
let lastAt = 0;

/** Change an issue: `over` is how it looks from now on, `baseSeq` what was known by whoever thought of it. */
export function change<K extends Name>(
  issue: Issue,
  title: string,
  over: Partial<Issue>,
  op: K,
  input: In<K>,
  group: string = random(),
  baseSeq: number = place.seq,
): void {
  lastAt = Math.max(Date.now(), lastAt + 1);
  const about = { id: random(), member: myId.value, issue: issue.id, title, group, at: lastAt };
  const made: Change = { ...about, op, input, over, baseSeq };
  batch(() => {
    settle(issue.id, title);
    waiting.value = [...waiting.value, made];
    tables.issue.layMore(issue.id, over);
  });
  void disk.keep(made);
  void send();
}

/** Those of the last visit of whoever is here. */
export async function resume(): Promise<void> {
  const kept = (await disk.changes()).filter((change) => change.member === myId.value);
  const left = kept.sort((one, other) => one.at - other.at);
  const here = new Set(waiting.value.map((change) => change.id));
  lastAt = Math.max(lastAt, left.at(-1)?.at ?? 0);
  batch(() => {
    waiting.value = [...left.filter((change) => !here.has(change.id)), ...waiting.value];
    for (const { issue } of left) lay(issue);
  });
  void send();
}

/** Everything up to this event is in the tables. */
export function reached(seq: number): void {
  const told = settling.filter((change) => change.seq <= seq);
  if (!told.length) return;
  settling = settling.filter((change) => change.seq > seq);
  batch(() => {
    for (const { issue } of told) lay(issue);
  });
}

export function forget(): void {
  waiting.value = [];
  settling = [];
  troubles.value = new Map();
  done.value = [];
}

/** What was said of one change of an issue is read. */
export function settle(issue: number, title: string): void {
  const found = troubles.value.get(issue);
  const others = found?.filter((trouble) => trouble.change.title !== title);
  if (!others || others.length === found?.length) return;
  const left = new Map(troubles.value);
  if (others.length) left.set(issue, others);
  else left.delete(issue);
  troubles.value = left;
}

/** Make a change anew that was taken back, knowing of what others did. */
export function again({ change: made, others }: Trouble): void {
  const issue = tables.issue.get(made.issue);
  const known = Math.max(place.seq, ...others.map((other) => other.seq));
  if (issue) change(issue, made.title, made.over, made.op, made.input as never, made.group, known);
}

/** Take the last act back. Answers what it was; undefined where that was not sent yet, or there is none. */
export async function undo(): Promise<string | undefined> {
  await sent();
  const last = done.value.at(-1);
  if (isUnsent() || !last) return undefined;
  const left = [...last.acts];
  const step = may("api:write") ? MOST : 1;
  done.value = done.value.filter((one) => one !== last);
  try {
    for (; left.length; left.splice(-step)) {
      const [first, ...others] = left.slice(-step).toReversed().map((act) => (typeof act === "string" ? { token: act } : { seq: act }));
      if (!others.length) await server.undo.apply(first!);
      else await server.batch([first!, ...others].map((one) => ["undo.apply", one] as const));
    }
  } catch (error) {
    // What is not taken back can be, later.
    if (away(error)) done.value = [...done.value, { ...last, acts: left }];
    throw error;
  }
  return last.title;
}

/** Whether something was done that the server did not answer. */
export function isUnsent(): boolean {
  return waiting.value.length + acting.value > 0;
}

/** Until what is on its way has been answered. */
function sent(): Promise<void> {
  return new Promise((go) => {
    const stop = effect(() => {
      if (!isUnsent() || offlineSince.value !== undefined) queueMicrotask(() => (stop(), go()));
    });
  });
}

/** Do what is remembered when it was answered. What it did may be told before that, and be wanted back by then. */
export async function undoable<T>(work: () => Promise<T>): Promise<T> {
  acting.value++;
  try {
    return await work();
  } finally {
    acting.value--;
  }
}

/** It can be taken back from now on. */
export function remember(title: string, seq: number, group: string = random()): void {
  if (seq) note(title, seq, group);
}

/** So can a change of many. */
export function rememberToken(title: string, token: string, group: string): void {
  note(title, token, group);
}

function note(title: string, act: number | string, group: string): void {
  const last = done.value.at(-1);
  if (last?.group === group) done.value = [...done.value.slice(0, -1), { ...last, acts: [...last.acts, act] }];
  else done.value = [...done.value, { title, group, acts: [act] }].slice(-MOST_UNDO);
}

function lay(issue: number): void {
  const over = [...settling, ...waiting.value].filter((change) => change.issue === issue).map((change) => change.over);
  tables.issue.lay(issue, over.length ? Object.assign({}, ...over) : undefined);
}

async function send(): Promise<void> {
  if (sending || !greeted.value) return;
  sending = true;
  try {
    while (waiting.value.length) {
      const some = waiting.value.slice(0, MOST);
      const results = await push(some);
      batch(() => results.forEach(answered));
      offlineSince.value = undefined;
    }
  } catch (error) {
    if (!away(error)) throw error;
    offlineSince.value ??= Date.now();
    clearTimeout(retry);
    retry = setTimeout(() => void send(), RETRY_MS);
  } finally {
    sending = false;
  }
}

async function push(some: readonly Change[]): Promise<PushResult[]> {
  if (!may("api:write")) return [await alone(some[0]!)];
  const writes = some.map(({ id, op, input, baseSeq }) => ({ id, op, input, base_seq: baseSeq }));
  try {
    return (await server.sync.push({ client: INSTALLATION, writes }, { retries: 1 })).results;
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 401) throw error;
    // One that the server falls over does not hold up those behind it.
    if (error.status === 500 && some.length > 1) return push(some.slice(0, 1));
    if (error.status !== 500 && away(error)) throw error;
    return some.map((change) => refused(change, error));
  }
}

/** As a call of its own, for guests: they have no queue on the server. */
async function alone(change: Change): Promise<PushResult> {
  try {
    const reply = await server.ask(change.op, change.input as never, { idempotencyKey: change.id, retries: 1 });
    return { ...EMPTY, id: change.id, state: "done", seq: reply.seq };
  } catch (error) {
    if (!(error instanceof Problem) || away(error) || error.status === 401) throw error;
    return refused(change, error);
  }
}

const EMPTY = { subject: null, seq: null, output: null, changes: [], current: null, problem: null, detail: null };

function refused({ id }: Change, { slug, detail, title }: Problem): PushResult {
  return { ...EMPTY, id, state: "refused", problem: slug, detail: detail || title };
}

function answered(result: PushResult): void {
  const made = waiting.value.find((change) => change.id === result.id);
  if (!made) return;
  batch(() => {
    waiting.value = waiting.value.filter((change) => change !== made);
    if (result.state === "done" || result.state === "repeated") {
      const seq = result.seq ?? 0;
      if (seq > place.seq) settling.push({ ...made, seq });
      remember(made.title, seq, made.group);
    } else {
      const trouble: Trouble = { change: made, detail: result.detail ?? "", others: result.changes };
      const before = troubles.value.get(made.issue)?.filter((one) => one.change.title !== made.title) ?? [];
      troubles.value = new Map(troubles.value).set(made.issue, [...before, trouble]);
    }
    lay(made.issue);
  });
  void disk.forget(made.id);
}
