/** The order of issues in a list. */
import type { Sort } from "../filter/state.ts";
import type { Issue } from "../store/kinds.ts";
import { byDue, byPressure, byText, byWeight, type Comparison } from "../store/pressure.ts";
import { compare } from "../ui/texts.ts";
import { isDone } from "./lanes.ts";

export function byRank(one: Issue, other: Issue): number {
  return byText(one.rank, other.rank) || one.id - other.id;
}

const byEnd: Comparison = (one, other) => (other.done_at ?? 0) - (one.done_at ?? 0);

/** As queries order by these fields: the least first. `has`: those that have none stand last, whichever way. */
const ORDERS: Readonly<Record<Exclude<Sort, "usual">, { order: Comparison; has?: (issue: Issue) => boolean }>> = {
  priority: { order: byWeight },
  due: { order: byDue, has: (issue) => issue.due_date !== null },
  updated: { order: (one, other) => one.updated_at - other.updated_at },
  created: { order: (one, other) => one.created_at - other.created_at },
  title: { order: (one, other) => compare(one.title, other.title) },
  estimate: { order: (one, other) => (one.estimate ?? 0) - (other.estimate ?? 0), has: (issue) => issue.estimate !== null },
};

/**
 * As usual: in a project by its own order, elsewhere by what presses; what is done stands behind the rest, the last first.
 * Whether one is done is asked once for each, not for each two: of thousands a list is put in order at every change.
 */
export function ordered(issues: readonly Issue[], { by, back }: { by: Sort; back: boolean }, ofProject: boolean): Issue[] {
  const ties = ofProject ? byRank : byPressure;
  if (by === "usual") {
    const { open = [], done = [] } = Object.groupBy(issues, (issue) => (isDone(issue) ? "done" : "open"));
    return [...open.sort(ties), ...done.sort((one, other) => byEnd(one, other) || ties(one, other))];
  }
  const { order, has = () => true } = ORDERS[by];
  return issues.toSorted(
    (one, other) => Number(has(other)) - Number(has(one)) || (back ? order(other, one) : order(one, other)) || ties(one, other),
  );
}
