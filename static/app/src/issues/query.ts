/** Which issues a list shows, in which order and under which heads. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Issue, Lane, Priority } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here } from "../ui/router.ts";
import { saved } from "./saved.ts";

export const words = signal("");
export const showsDone = signal(false);

export type Row = { readonly head: Lane; readonly count: number } | { readonly issue: number };

const BY_CATEGORY = { triage: 0, in_progress: 1, todo: 2, done: 3 } as const;
const BY_PRIORITY: Record<Priority, number> = { urgent: 0, high: 1, medium: 2, low: 3, none: 4 };

/** Lanes as they follow in a list: what is nearest to being done stands first, what is done last. */
export const lanes = computed(() =>
  tables.lane
    .all()
    .sort((one, other) => BY_CATEGORY[one.category] - BY_CATEGORY[other.category] || other.position - one.position),
);

/** The lanes of a board, from left to right. */
export const columns = computed(() => tables.lane.all().sort((one, other) => one.position - other.position));

/** All that belong to this place, whatever is filtered. */
const within = computed(() => {
  const place = here.value;
  const all = tables.issue.all();
  if (place.name === "mine") return all.filter((issue) => issue.assignees.includes(myId.value));
  if (place.name === "view") return all.filter((issue) => saved.value?.issues.has(issue.id));
  if (place.name === "project") return all.filter((issue) => issue.project === place.key);
  return all;
});

export const shown = computed(() => {
  const asked = words.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!asked.length) return within.value;
  return within.value.filter((issue) => {
    const text = textOf(issue);
    return asked.every((word) => text.includes(word));
  });
});

/** What words are looked for in, made once for each state of an issue. */
const texts = new WeakMap<Issue, string>();

function textOf(issue: Issue): string {
  let text = texts.get(issue);
  if (text === undefined) texts.set(issue, (text = `${issue.key} ${issue.title}`.toLocaleLowerCase()));
  return text;
}

export const doneCount = computed(() => shown.value.filter((issue) => isDone(issue)).length);

export const isFiltered = computed(() => words.value.trim() !== "");

export const rows: ReadonlySignal<readonly Row[]> = computed(() => {
  const byLane = Map.groupBy(shown.value, (issue) => issue.lane);
  const order = here.value.name === "project" ? byRank : byPressure;
  const found: Row[] = [];
  for (const lane of lanes.value) {
    const issues = byLane.get(lane.key);
    if (!issues || (lane.category === "done" && !showsDone.value)) continue;
    found.push({ head: lane, count: issues.length });
    for (const issue of issues.sort(lane.category === "done" ? byEnd : order)) found.push({ issue: issue.id });
  }
  return found;
});

export function isDone(issue: Issue): boolean {
  return tables.lane.get(issue.lane)?.category === "done";
}

export function byRank(one: Issue, other: Issue): number {
  return byText(one.rank, other.rank) || one.id - other.id;
}

/** By the numbers of the signs: for what people do not read. */
function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The most pressing first, then what is due first, then what was touched last. */
function byPressure(one: Issue, other: Issue): number {
  return (
    BY_PRIORITY[one.priority] - BY_PRIORITY[other.priority] ||
    byText(one.due_date ?? "9", other.due_date ?? "9") ||
    other.updated_at - one.updated_at
  );
}

function byEnd(one: Issue, other: Issue): number {
  return (other.done_at ?? 0) - (one.done_at ?? 0);
}

/** How far along the lanes in progress a lane is, for its mark. */
export function partOf(lane: Lane | undefined): number {
  const doing = columns.value.filter((one) => one.category === "in_progress");
  const at = doing.findIndex((one) => one.key === lane?.key);
  return (at + 1) / (doing.length + 1);
}
