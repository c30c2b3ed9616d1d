/** The fields of an issue that are changed by one key or one click, for one issue or for all that are selected. */
import { batch, computed } from "@preact/signals";
import type { In } from "@kbwork/client";
import { change } from "../store/changes.ts";
import type { Component, Issue, IssueType, Label, Lane, Priority, Transition, Workflow } from "../store/kinds.ts";
import { random } from "../store/server.ts";
import type { Table } from "../store/table.ts";
import { tables } from "../store/tables.ts";
import { t } from "../ui/texts.ts";
import { askApproval } from "./asked.ts";

export type Field = "status" | "priority" | "assignee" | "labels" | "due" | "type" | "components" | "estimate" | "start" | "parent" | "sprint";

export const FIELDS: Record<Field, string> = {
  status: t.status,
  priority: t.priority,
  assignee: t.assignee,
  labels: t.labels,
  due: t.due,
  type: t.type,
  components: t.components,
  estimate: t.estimate,
  start: t.start,
  parent: t.parent,
  sprint: t.sprint,
};

/** The ways of a workflow from one lane to another. */
function ways({ transitions }: Workflow, start: string, lane: string): Transition[] {
  return transitions.filter(({ from, to }) => to === lane && (from.includes("*") || from.includes(start)));
}

export function leads(issue: Issue, lane: Lane): boolean {
  const workflow = flow(issue);
  return !workflow || issue.lane === lane.key || ways(workflow, issue.lane, lane.key).length > 0;
}

/** Whether others have to agree before the issue goes there, whichever way. */
export function asksOthers(issue: Issue, lane: string): boolean {
  const workflow = flow(issue);
  const open = workflow ? ways(workflow, issue.lane, lane) : [];
  return open.length > 0 && open.every((way) => way.approvers.length > 0);
}

/** By project and type: a type may move along another workflow in each. */
const flows = computed(() => {
  const found = new Map<string, Workflow>();
  for (const one of tables.workflow.all()) {
    for (const { project, types } of one.used_by ?? []) for (const type of types) found.set(`${project} ${type}`, one);
  }
  return found;
});

/** Keys of the lanes that a new issue may begin in: the start of its workflow, and what one way behind it leads to. */
export function beginnings(project: string, type: string): readonly string[] | undefined {
  const along = flows.value.get(`${project} ${type}`);
  if (!along) return undefined; // the server says what it does not let by
  const behind = along.lanes.filter((lane) => ways(along, along.start, lane).some((way) => !way.approvers.length));
  return [...new Set([along.start, ...behind])];
}

/** What it moves along; undefined: that is not known here, and the server says what it does not let by. */
export function flow(issue: Issue): Workflow | undefined {
  return flows.value.get(`${issue.project} ${issue.type}`);
}

function each(issues: readonly Issue[], make: (issue: Issue, group: string) => void, group = random()): void {
  batch(() => {
    for (const issue of issues) make(issue, group);
  });
}

/** One for which others have to agree is not moved: they are asked. `group`: of what else is done with it. */
export function setLane(issues: readonly Issue[], lane: string, group?: string): void {
  const [issue, ...more] = issues;
  // Behind the list of lanes, which closes.
  if (issue && !more.length && issue.lane !== lane && asksOthers(issue, lane)) queueMicrotask(() => askApproval({ issue: issue.id, lane }));
  else moveTo(issues, lane, group);
}

export function moveTo(issues: readonly Issue[], lane: string, group?: string): void {
  const make = (issue: Issue, act: string): void => {
    const input = { key: issue.key, to_status: lane };
    change(issue, t.changed(t.status, issue.key), { lane }, "issues.transition", input, act);
  };
  each(issues.filter((issue) => issue.lane !== lane), make, group);
}

/** The same for all of them: as it looks, and as the server is told. */
function update(field: Field, issues: readonly Issue[], over: Partial<Issue>, told: Omit<In<"issues.update">, "key">): void {
  each(issues, (issue, group) => {
    change(issue, t.changed(FIELDS[field], issue.key), over, "issues.update", { key: issue.key, ...told }, group);
  });
}

export function setPriority(issues: readonly Issue[], priority: Priority): void {
  update("priority", issues.filter((issue) => issue.priority !== priority), { priority }, { priority });
}

export function setAssignee(issues: readonly Issue[], who: string): void {
  each(issues, (issue, group) => {
    const assignees = who ? [who] : [];
    const input = { key: issue.key, assignees };
    change(issue, t.changed(t.assignee, issue.key), { assignees }, "issues.assign", input, group);
  });
}

/** Put a label or a component on all of them, or take it off where all have it. */
export function toggle(field: "labels" | "components", issues: readonly Issue[], id: number): void {
  const table: Table<Label | Component> = field === "labels" ? tables.label : tables.component;
  const off = issues.every((issue) => issue[field].includes(id));
  each(issues, (issue, group) => {
    const others = issue[field].filter((one) => one !== id);
    const ids = off ? others : [...others, id];
    const names = ids.map((one) => table.get(one)?.name).filter((name) => name !== undefined);
    change(issue, t.changed(FIELDS[field], issue.key), { [field]: ids }, "issues.update", { key: issue.key, [field]: names }, group);
  });
}

/** `day`: `YYYY-MM-DD`; empty: none. */
export function setDue(issues: readonly Issue[], day: string): void {
  update("due", issues, { due_date: day || null }, { due_date: day });
}

/** `day`: `YYYY-MM-DD`; empty: none. */
export function setStart(issues: readonly Issue[], day: string): void {
  update("start", issues, { start_date: day || null }, { start_date: day });
}

export function setEstimate(issues: readonly Issue[], estimate: number | null): void {
  update("estimate", issues, { estimate }, { estimate });
}

/** Below another one; undefined: below none. */
export function setParent(issues: readonly Issue[], parent: Issue | undefined): void {
  update("parent", issues, { parent: parent?.id ?? null }, { parent: parent?.key ?? "" });
}

/** Into a sprint; null: out of the one that it is in. */
export function setSprint(issues: readonly Issue[], sprint: number | null): void {
  update("sprint", issues.filter((issue) => issue.sprint !== sprint), { sprint }, { sprint });
}

export function setType(issues: readonly Issue[], type: IssueType): void {
  each(issues.filter((issue) => issue.type !== type.key), (issue, group) => {
    change(issue, t.changed(t.type, issue.key), { type: type.key }, "issues.convert", { key: issue.key, type: type.key }, group);
  });
}

/** `seq`: up to which event it was known what the title was. */
export function setTitle(issue: Issue, title: string, seq: number): void {
  const said = title.trim();
  if (!said || said === issue.title) return;
  change(issue, t.changed(t.title, issue.key), { title: said }, "issues.update", { key: issue.key, title: said }, random(), seq);
}
