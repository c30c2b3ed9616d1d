/** The requests of a desk and its queues, as the server tells of them: the issues that they are stand in the tables. */
import { computed, effect, signal } from "@preact/signals";
import { Problem, type Queue } from "@kbwork/client";
import { putNowhere, selectNone } from "../issues/cursor.ts";
import { isDone } from "../issues/lanes.ts";
import { listing } from "../issues/listed.ts";
import type { Issue } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { myId, offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Beside } from "./beside.tsx";
import { w } from "./texts.ts";

/** What changes together is asked for once. */
const CALM_MS = 800;
const PAGE = 500;
const MOST_PAGES = 4;
const DONE_DAYS = 30;

export interface Asking {
  readonly customer: string;
  readonly type: string;
  /** When something was said to its customers or by them last; when it was made, where nothing was. */
  readonly at: number;
  /** Whether an answer is ours to give. */
  readonly ours: boolean;
}

export type Usual = keyof typeof w.usual;

export const isUsual = (name: string): name is Usual => name in w.usual;

/** The desk, and the queue of it, that one looks at: one of every desk, or the id of its own. */
const at = signal<{ readonly project: string; readonly queue: Usual | number } | undefined>(undefined);
/** By the issue. */
export const requests = signal<ReadonlyMap<number, Asking> | undefined>(undefined);
export const queues = signal<readonly Queue[]>([]);
/** Ids of the issues in the desk's own queue that one looks at, in its order. */
const found = signal<{ readonly of: string; readonly ids: readonly number[] } | undefined>(undefined);
/** Why something could not be asked. */
export const wrong = signal<string | undefined>(undefined);

export const byUsual = computed(() => {
  const all = [...(requests.value ?? [])].flatMap(([id, request]) => {
    const issue = tables.issue.watch(id);
    return issue ? { id, issue, request } : [];
  });
  const open = all.filter(({ issue }) => !isDone(issue)).sort((one, other) => other.request.at - one.request.at);
  const ids = (some: typeof all): number[] => some.map(({ id }) => id);
  return {
    us: ids(open.filter(({ request }) => request.ours)).reverse(), // who waits longest stands first
    unassigned: ids(open.filter(({ issue }) => !issue.assignees.length)),
    mine: ids(open.filter(({ issue }) => issue.assignees.includes(myId.value))),
    open: ids(open),
    done: ids(all.filter(({ issue }) => isDone(issue)).sort((one, other) => ended(other.issue) - ended(one.issue))),
  } satisfies Record<Usual, number[]>;
});

const ended = (issue: Issue): number => issue.done_at ?? 0;

const isOwn = (of: string): boolean => found.value?.of === of;

/** Follow a desk for as long as it is shown. Answers what ends it. */
export function follow(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = "";
  const asking = effect(() => {
    const place = at.value;
    void tables.issue.moved.value;
    void offlineSince.value;
    clearTimeout(timer);
    if (!place) return;
    const now = `${place.project} ${place.queue}`;
    timer = setTimeout(() => void ask(place.project, place.queue), now === before ? CALM_MS : 0);
    before = now;
  });
  const showing = effect(() => {
    const place = at.value;
    if (!place) return;
    const { project, queue } = place;
    const usual = typeof queue === "string";
    const ids = usual ? requests.value && byUsual.value[queue] : isOwn(`${project} ${queue}`) ? found.value?.ids : undefined;
    listing.value = { name: `${project} ${queue}`, places: ids ? new Map(ids.map((id, place) => [id, place])) : null, Beside, empty: usual ? w.empty[queue] : w.emptyQueue };
  });
  const back = (): void => {
    const place = at.peek();
    if (place) void ask(place.project, place.queue);
  };
  addEventListener("focus", back);
  return () => {
    clearTimeout(timer);
    asking();
    showing();
    removeEventListener("focus", back);
    listing.value = undefined;
  };
}

/** Look at a queue; what is known of another desk is forgotten. */
export function enter(project: string, queue: Usual | number): void {
  const before = at.peek();
  if (before?.project === project && before.queue === queue) return;
  if (before?.project !== project) {
    requests.value = undefined;
    queues.value = [];
  }
  selectNone();
  putNowhere();
  at.value = { project, queue };
}

async function ask(project: string, queue: Usual | number): Promise<void> {
  try {
    const [all, own] = await Promise.all([fetchRequests(project), server.desk.queues({ project })]);
    if (at.peek()?.project !== project) return;
    requests.value = all;
    queues.value = own;
    wrong.value = undefined;
    const one = own.find(({ id }) => id === queue);
    if (one) found.value = { of: `${project} ${queue}`, ids: await fetchQueue(one) };
  } catch (error) {
    if (away(error)) return; // what was there stays
    if (!(error instanceof Problem)) throw error;
    wrong.value = error.detail || error.title;
  }
}

const within = (project: string, of = ""): string => `${of}project = ${JSON.stringify(project)} and (${of}closed is empty or ${of}closed > -${DONE_DAYS}d)`;

async function fetchRequests(project: string): Promise<Map<number, Asking>> {
  const [rows, said] = await Promise.all([
    rowsOf(`from requests ${within(project)}`, ["customer", "request_type", "created"]),
    rowsOf(`from comments internal = false and issue.customer is not empty and ${within(project, "issue.")} order by created desc`, ["on", "author", "created"]),
  ]);
  const last = new Map<string, { author: string; at: number }>();
  for (const { cells: [on, author, created] } of said) if (!last.has(String(on))) last.set(String(on), { author: String(author), at: Number(created) });
  return new Map(rows.map(({ id, cells: [customer, type, created] }) => {
    const one = last.get(tables.issue.get(id)?.key ?? "");
    return [id, { customer: String(customer ?? ""), type: String(type ?? ""), at: one?.at ?? Number(created), ours: one?.author.startsWith("customer:") ?? true }];
  }));
}

async function fetchQueue({ project, tql, order }: Queue): Promise<number[]> {
  const text = `${tql.trim() ? `(${tql}\n) and ` : ""}project = ${JSON.stringify(project)}${order ? ` order by ${order}` : ""}`;
  return (await rowsOf(text, ["key"])).map(({ id }) => id);
}

async function rowsOf(tql: string, fields: readonly string[]): Promise<{ id: number; cells: readonly unknown[] }[]> {
  const all: { id: number; cells: readonly unknown[] }[] = [];
  for await (const { rows, subjects } of server.paged("tql.run", { tql, fields, limit: PAGE }, { most: MOST_PAGES })) {
    rows.forEach((cells, place) => all.push({ id: Number(subjects?.[place]?.split(":")[1]), cells }));
  }
  return all;
}
