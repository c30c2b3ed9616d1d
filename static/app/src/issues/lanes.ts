/** The lanes that issues stand in. */
import { computed } from "@preact/signals";
import type { Issue, Lane } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";

const BY_CATEGORY = { triage: 0, in_progress: 1, todo: 2, done: 3 } as const;

/** As they follow in a list: what is nearest to being done stands first, what is done last. */
export const lanes = computed(() =>
  tables.lane
    .all()
    .sort((one, other) => BY_CATEGORY[one.category] - BY_CATEGORY[other.category] || other.position - one.position),
);

/** As they follow on a board, from left to right. */
export const columns = computed(() => tables.lane.all().sort((one, other) => one.position - other.position));

export function isDone(issue: Issue): boolean {
  return tables.lane.get(issue.lane)?.category === "done";
}

/** How far along the lanes in progress a lane is, for its mark. */
export function partOf(lane: Lane | undefined): number {
  const doing = columns.value.filter((one) => one.category === "in_progress");
  const at = doing.findIndex((one) => one.key === lane?.key);
  return (at + 1) / (doing.length + 1);
}
