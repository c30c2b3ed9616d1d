/** The sprints that issues may be in. */
import { computed } from "@preact/signals";
import type { Sprint } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";

const BY_STATE = { active: 0, planned: 1, done: 2 } as const;

/** Those that run, then those to come by their days, then the latest that are over. */
export const inOrder = computed(() =>
  tables.sprint.all().sort((one, other) => BY_STATE[one.state] - BY_STATE[other.state] || byDays(one, other) || one.id - other.id),
);

/** Those that issues can be put into. */
export const open = computed(() => inOrder.value.filter(({ state }) => state !== "done"));

function byDays(one: Sprint, other: Sprint): number {
  const [a, b] = one.state === "done" ? [other.end_date ?? "", one.end_date ?? ""] : [one.start_date ?? "9", other.start_date ?? "9"];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an issue of the project may be in it: of a team alone, one of any project. */
export function takes(sprint: Sprint, project: string): boolean {
  return !sprint.projects.length || sprint.projects.includes(project);
}
