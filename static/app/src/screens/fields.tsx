/** The fields of an issue that are changed by one key or one click, for one issue or for all that are selected. */
import { batch, signal } from "@preact/signals";
import { change } from "../store/changes.ts";
import type { Issue, Lane, Priority } from "../store/kinds.ts";
import { random, server } from "../store/server.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { type Option, Picker } from "../ui/picker.tsx";
import { compare, day, dayFromNow, PRIORITIES, t } from "../ui/texts.ts";
import { columns, partOf } from "./query.ts";

export type Field = "status" | "priority" | "assignee" | "labels" | "due";

export const FIELDS: Record<Field, string> = {
  status: t.status,
  priority: t.priority,
  assignee: t.assignee,
  labels: t.labels,
  due: t.due,
};

interface Editing {
  readonly field: Field;
  readonly issues: readonly number[];
  readonly at: Element | null;
}

const editing = signal<Editing | undefined>(undefined);

/** Ask for a field of these; at an element, or in the middle. */
export function edit(field: Field, issues: readonly number[], at: Element | null = null): void {
  if (issues.length) editing.value = { field, issues, at };
}

export function FieldPicker() {
  const asked = editing.value;
  if (!asked) return null;
  const issues = asked.issues.map((id) => tables.issue.watch(id)).filter((issue) => issue !== undefined);
  const props = {
    label: FIELDS[asked.field],
    at: asked.at,
    onClose: () => {
      editing.value = undefined;
    },
  };
  if (asked.field === "status") {
    const chosen = [...new Set(issues.map((issue) => issue.lane))];
    return <Picker {...props} options={lanesFor(issues)} chosen={chosen} onChoose={(lane) => setLane(issues, lane)} />;
  }
  if (asked.field === "priority") {
    const chosen = [...new Set(issues.map((issue) => issue.priority))];
    return <Picker {...props} options={PRIORITY_CHOICES} chosen={chosen} onChoose={(priority) => setPriority(issues, priority)} />;
  }
  if (asked.field === "assignee") {
    const chosen = issues.length === 1 ? issues[0]!.assignees : [];
    const empty = chosen.length ? chosen : [""];
    return <Picker {...props} options={people()} chosen={empty} onChoose={(who) => setAssignee(issues, who)} />;
  }
  if (asked.field === "labels") {
    const chosen = labelsOfAll(issues);
    return <Picker {...props} options={labelsFor(issues)} chosen={chosen} many onChoose={(id) => setLabel(issues, id)} />;
  }
  const chosen = [...new Set(issues.map((issue) => issue.due_date ?? ""))];
  return <Picker {...props} options={days()} chosen={chosen} more={dayInWords} onChoose={(due) => setDue(issues, due)} />;
}

// -- what can be chosen -------------------------------------------------------------------------------------

function lanesFor(issues: readonly Issue[]): Option<string>[] {
  return columns.value
    .filter((lane) => issues.every((issue) => flow(issue)?.lanes.includes(lane.key) ?? true))
    .map((lane) => ({
      value: lane.key,
      title: lane.name,
      mark: <LaneIcon lane={lane} part={partOf(lane)} />,
      shut: issues.every((issue) => leads(issue, lane)) ? undefined : "no way from here",
    }));
}

export function leads(issue: Issue, lane: Lane): boolean {
  const workflow = flow(issue);
  if (!workflow || issue.lane === lane.key) return true;
  return workflow.transitions.some(
    ({ from, to }) => to === lane.key && (from.includes("*") || from.includes(issue.lane)),
  );
}

function flow(issue: Issue) {
  const own = tables.type.get(issue.type)?.workflow;
  return own == null ? tables.workflow.all()[0] : tables.workflow.get(own);
}

export const PRIORITY_CHOICES = (Object.keys(PRIORITIES) as Priority[]).map((priority) => ({
  value: priority,
  title: PRIORITIES[priority],
  mark: <PriorityIcon priority={priority} />,
}));

export function people(): Option<string>[] {
  const found = tables.member.all().filter((member) => member.state === "active");
  found.sort((one, other) => Number(other.id === myId.value) - Number(one.id === myId.value) || compare(one.name, other.name));
  return [
    { value: "", title: t.nobody },
    ...found.map(({ id, name, handle }) => ({ value: id, title: name, hint: `@${handle}`, mark: <Avatar id={id} name={name} /> })),
  ];
}

function labelsFor(issues: readonly Issue[]): Option<number>[] {
  const projects = new Set(issues.map((issue) => issue.project));
  return tables.label
    .all()
    .filter((label) => !label.project || (projects.size === 1 && projects.has(label.project)))
    .sort((one, other) => compare(one.name, other.name))
    .map(({ id, name, color }) => ({ value: id, title: name, mark: <Dot color={color} /> }));
}

/** A dot in the colour that people gave. */
export function Dot({ color }: { color: string }) {
  return (
    <svg class="mark" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4" fill={color} />
    </svg>
  );
}

function labelsOfAll(issues: readonly Issue[]): number[] {
  const [first, ...others] = issues;
  return (first?.labels ?? []).filter((label) => others.every((issue) => issue.labels.includes(label)));
}

function days(): Option<string>[] {
  const weekday = new Date().getDay();
  const offers: [string, string][] = [
    ["Today", dayFromNow(0)],
    ["Tomorrow", dayFromNow(1)],
    ["Friday", dayFromNow((12 - weekday) % 7 || 7)],
    ["Next Monday", dayFromNow((8 - weekday) % 7 || 7)],
    ["In two weeks", dayFromNow(14)],
  ];
  return [
    ...offers.map(([title, value]) => ({ value, title, hint: day(value) })),
    { value: "", title: t.noDate },
  ];
}

/** `next fri`, `in 2w`, `5 dec`: as the server reads it. */
async function dayInWords(text: string): Promise<Option<string> | undefined> {
  const { input } = await server.issues.parse({ text: `x due ${text}` });
  const due = input["due_date"];
  return typeof due === "string" ? { value: due, title: day(due), hint: text } : undefined;
}

// -- what is done -------------------------------------------------------------------------------------------

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
function setLabel(issues: readonly Issue[], label: number): void {
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
