/** The fields that chips filter by: what can be chosen, how a query writes it, and which issues have it. */
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Dot } from "../issues/marks.tsx";
import { columns, isDone, partOf } from "../issues/lanes.ts";
import { inOrder } from "../issues/sprints.ts";
import type { Issue, Priority } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { compare, dayFromNow, PRIORITIES, t } from "../ui/texts.ts";

export interface Choice {
  /** As a query writes it. */
  readonly value: string;
  /** What it is called in a query, in small letters. */
  readonly names: readonly string[];
  readonly title: string;
  readonly mark?: ComponentChildren;
  readonly fits: (issue: Issue) => boolean;
}

interface Field {
  readonly title: string;
  readonly choices: () => readonly Choice[];
}

export type FilterField = "status" | "assignee" | "priority" | "label" | "component" | "sprint" | "type" | "project" | "reporter" | "parent";

export const FIELDS: Readonly<Record<FilterField, Field>> = {
  status: field(t.status, lanes),
  assignee: field(t.assignee, () => [nobody(), ...people((issue, id) => issue.assignees.includes(id))]),
  priority: field(t.priority, priorities),
  label: field(t.label, labels),
  component: field(t.component, components),
  sprint: field(t.sprint, sprints),
  type: field(t.type, types),
  project: field(t.project, projects),
  reporter: field(t.reporter, () => people((issue, id) => issue.reporter === id)),
  parent: field(t.parent, parents),
};

/** Its choices are made once for what they are made of: each chip and each issue looks for its own among them. */
function field(title: string, make: () => readonly Choice[]): Field {
  const made = computed(make);
  return { title, choices: () => made.value };
}

export type Condition = "open" | "done" | "mine" | "unassigned" | "overdue" | "blocked";

export const CONDITIONS: Readonly<Record<Condition, { readonly title: string; readonly fits: (issue: Issue) => boolean }>> = {
  open: { title: t.conditions.open, fits: (issue) => !isDone(issue) },
  done: { title: t.conditions.done, fits: isDone },
  mine: { title: t.conditions.mine, fits: (issue) => issue.assignees.includes(myId.value) },
  unassigned: { title: t.conditions.unassigned, fits: (issue) => !issue.assignees.length },
  overdue: { title: t.conditions.overdue, fits: (issue) => issue.due_date !== null && issue.due_date < dayFromNow(0) && !isDone(issue) },
  blocked: { title: t.conditions.blocked, fits: (issue) => issue.blocked },
};

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Those that are called alike are one choice. */
function byName<T extends { readonly name: string }>(
  things: readonly T[],
  make: (first: T, all: readonly T[]) => Omit<Choice, "value" | "title"> & { readonly value?: string },
): Choice[] {
  const groups = Map.groupBy(things, (thing) => thing.name.toLowerCase());
  return [...groups.values()].map((all) => {
    const [first] = all as [T];
    return { value: quoted(first.name), title: first.name, ...make(first, all) };
  });
}

function lanes(): Choice[] {
  return byName(columns.value, (first, all) => {
    const keys = new Set(all.map((lane) => lane.key));
    const names = [...keys, first.name.toLowerCase()];
    return { names, mark: <LaneIcon lane={first} part={partOf(first)} />, fits: (issue) => keys.has(issue.lane) };
  });
}

function nobody(): Choice {
  return { value: "empty", names: [], title: t.nobody, fits: (issue) => !issue.assignees.length };
}

function people(has: (issue: Issue, id: string) => boolean): Choice[] {
  const found = tables.member.all().filter((member) => member.state !== "erased");
  found.sort((one, other) => compare(one.name, other.name));
  const me: Choice = { value: "me()", names: [], title: t.me, fits: (issue) => has(issue, myId.value) };
  const all = found.map<Choice>(({ id, name, handle }) => ({
    value: `@${handle}`,
    names: [`@${handle}`.toLowerCase(), handle.toLowerCase(), name.toLowerCase()],
    title: name,
    mark: <Avatar id={id} name={name} />,
    fits: (issue) => has(issue, id),
  }));
  return [me, ...all];
}

function priorities(): Choice[] {
  return (Object.keys(PRIORITIES) as Priority[]).map((priority) => ({
    value: priority,
    names: [priority],
    title: PRIORITIES[priority],
    mark: <PriorityIcon priority={priority} />,
    fits: (issue) => issue.priority === priority,
  }));
}

function labels(): Choice[] {
  const all = tables.label.all().sort((one, other) => compare(one.name, other.name));
  const none: Choice = { value: "empty", names: [], title: t.noLabels, fits: (issue) => !issue.labels.length };
  const found = byName(all, (first, same) => {
    const ids = new Set(same.map((label) => label.id));
    return { names: [first.name.toLowerCase()], mark: <Dot color={first.color} />, fits: (issue) => issue.labels.some((id) => ids.has(id)) };
  });
  return [none, ...found];
}

function components(): Choice[] {
  const all = tables.component.all().sort((one, other) => compare(one.name, other.name));
  const none: Choice = { value: "empty", names: [], title: t.none, fits: (issue) => !issue.components.length };
  const found = byName(all, (first, same) => {
    const ids = new Set(same.map((component) => component.id));
    return { names: [first.name.toLowerCase()], fits: (issue) => issue.components.some((id) => ids.has(id)) };
  });
  return [none, ...found];
}

function sprints(): Choice[] {
  const all = inOrder.value;
  const running = new Set<number | null>(all.filter(({ state }) => state === "active").map(({ id }) => id));
  const none: Choice = { value: "empty", names: [], title: t.noSprint, fits: (issue) => issue.sprint === null };
  const open: Choice = { value: "openSprints()", names: [], title: t.runningSprint, fits: (issue) => running.has(issue.sprint) };
  const found = byName(all, (first, same) => {
    const ids = new Set<number | null>(same.map((sprint) => sprint.id));
    return { names: [first.name.toLowerCase()], fits: (issue) => ids.has(issue.sprint) };
  });
  return [...(running.size ? [open] : []), none, ...found];
}

function types(): Choice[] {
  const all = tables.type.all().sort((one, other) => other.level - one.level || compare(one.name, other.name));
  return byName(all, (first, same) => {
    const keys = new Set(same.map((type) => type.key));
    return { names: [...keys, first.name.toLowerCase()], fits: (issue) => keys.has(issue.type) };
  });
}

function projects(): Choice[] {
  const all = tables.project.all().sort((one, other) => compare(one.name, other.name));
  return all.map(({ key, name }) => ({
    value: key,
    names: [key.toLowerCase(), name.toLowerCase()],
    title: name,
    fits: (issue) => issue.project === key,
  }));
}

/** Those that have something below them. */
function parents(): Choice[] {
  const ids = new Set(tables.issue.all().map((issue) => issue.parent));
  const none: Choice = { value: "empty", names: [], title: t.none, fits: (issue) => issue.parent === null };
  const found = [...ids].map((id) => tables.issue.get(id ?? -1)).filter((issue) => issue !== undefined);
  const some = found.map<Choice>(({ id, key, title }) => ({
    value: key,
    names: [key.toLowerCase()],
    title: `${key} ${title}`,
    fits: (issue) => issue.parent === id,
  }));
  return [none, ...some.sort((one, other) => compare(one.title, other.title))];
}
