/** The fields of an issue that are changed by one key or one click, for one issue or for all that are selected. */
import { batch } from "@preact/signals";
import { change } from "../store/changes.ts";
import type { Issue, Lane, Priority } from "../store/kinds.ts";
import { random } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { t } from "../ui/texts.ts";

export type Field = "status" | "priority" | "assignee" | "labels" | "due";

export const FIELDS: Record<Field, string> = {
  status: t.status,
  priority: t.priority,
  assignee: t.assignee,
  labels: t.labels,
  due: t.due,
};

export function leads(issue: Issue, lane: Lane): boolean {
  const workflow = flow(issue);
  if (!workflow || issue.lane === lane.key) return true;
  return workflow.transitions.some(
    ({ from, to }) => to === lane.key && (from.includes("*") || from.includes(issue.lane)),
  );
}

export function flow(issue: Issue) {
  const own = tables.type.get(issue.type)?.workflow;
  return own == null ? tables.workflow.all()[0] : tables.workflow.get(own);
}

function each(issues: readonly Issue[], make: (issue: Issue, group: string) => void, group = random()): void {
  batch(() => {
    for (const issue of issues) make(issue, group);
  });
}

/** `group`: of what else is done with it. */
export function setLane(issues: readonly Issue[], lane: string, group?: string): void {
  const make = (issue: Issue, act: string): void => {
    const input = { key: issue.key, to_status: lane };
    change(issue, t.changed(t.status, issue.key), { lane }, "issues.transition", input, act);
  };
  each(issues.filter((issue) => issue.lane !== lane), make, group);
}

export function setPriority(issues: readonly Issue[], priority: Priority): void {
  each(issues.filter((issue) => issue.priority !== priority), (issue, group) => {
    const input = { key: issue.key, priority };
    change(issue, t.changed(t.priority, issue.key), { priority }, "issues.update", input, group);
  });
}

export function setAssignee(issues: readonly Issue[], who: string): void {
  each(issues, (issue, group) => {
    const assignees = who ? [who] : [];
    const input = { key: issue.key, assignees };
    change(issue, t.changed(t.assignee, issue.key), { assignees }, "issues.assign", input, group);
  });
}

/** Put a label on all of them, or take it off where all have it. */
export function setLabel(issues: readonly Issue[], label: number): void {
  const off = issues.every((issue) => issue.labels.includes(label));
  each(issues, (issue, group) => {
    const others = issue.labels.filter((one) => one !== label);
    const labels = off ? others : [...others, label];
    const names = labels.map((one) => tables.label.get(one)?.name).filter((name) => name !== undefined);
    const input = { key: issue.key, labels: names };
    change(issue, t.changed(t.labels, issue.key), { labels }, "issues.update", input, group);
  });
}

export function setDue(issues: readonly Issue[], due: string): void {
  each(issues, (issue, group) => {
    const input = { key: issue.key, due_date: due };
    change(issue, t.changed(t.due, issue.key), { due_date: due || null }, "issues.update", input, group);
  });
}

/** `seq`: up to which event it was known what the title was. */
export function setTitle(issue: Issue, title: string, seq: number): void {
  const said = title.trim();
  if (!said || said === issue.title) return;
  change(issue, t.changed(t.title, issue.key), { title: said }, "issues.update", { key: issue.key, title: said }, random(), seq);
}
