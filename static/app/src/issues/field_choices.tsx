/** What may stand in each field of an issue: what people choose from. */
import type { Component, Issue, Label, Lane, Priority } from "../store/kinds.ts";
import { today } from "../store/clock.ts";
import { server } from "../store/server.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import type { Option } from "../ui/picker.tsx";
import { compare, day, dayFromNow, number, PRIORITIES, t } from "../ui/texts.ts";
import { asksOthers, flow, leads } from "./edits.ts";
import { columns, partOf } from "./lanes.ts";
import { Dot } from "./marks.tsx";
import { open, takes } from "./sprints.ts";

export function lanesFor(issues: readonly Issue[]): Option<string>[] {
  return columns.value
    .filter((lane) => issues.every((issue) => flow(issue)?.lanes.includes(lane.key) ?? true))
    .map((lane) => ({
      ...laneChoice(lane),
      shut: issues.every((issue) => leads(issue, lane)) ? undefined : t.noWay,
      ...(issues.length === 1 && asksOthers(issues[0]!, lane.key) && { hint: t.asksOthers }),
    }));
}

export function laneChoice(lane: Lane): Option<string> {
  return { value: lane.key, title: lane.name, mark: <LaneIcon lane={lane} part={partOf(lane)} /> };
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

export function labelsFor(issues: readonly Issue[]): Option<number>[] {
  const found = thoseOf(tables.label.all(), issues, (label, project) => !label.project || label.project === project);
  return found.map(({ id, name, color }) => ({ value: id, title: name, mark: <Dot color={color} /> }));
}

export function componentsFor(issues: readonly Issue[]): Option<number>[] {
  const open = tables.component.all().filter(({ archived }) => !archived);
  return thoseOf(open, issues, (component, project) => component.project === project).map(({ id, name }) => ({ value: id, title: name }));
}

/** Those that may stand in the projects of all of them. */
function thoseOf<T extends Label | Component>(all: readonly T[], issues: readonly Issue[], fits: (one: T, project: string) => boolean): T[] {
  const projects = [...new Set(issues.map((issue) => issue.project))];
  return all.filter((one) => projects.every((project) => fits(one, project))).sort((one, other) => compare(one.name, other.name));
}

/** What all of them have. */
export function common(issues: readonly Issue[], field: "labels" | "components"): number[] {
  const [first, ...others] = issues;
  return (first?.[field] ?? []).filter((id) => others.every((issue) => issue[field].includes(id)));
}

export function typesFor(issues: readonly Issue[]): Option<string>[] {
  const all = tables.type.all().filter(({ projects }) => !projects.length || issues.every((issue) => projects.includes(issue.project)));
  all.sort((one, other) => other.level - one.level || compare(one.name, other.name));
  return all.map(({ key, name }) => ({ value: key, title: name }));
}

function levelOf(issue: Issue): number {
  return tables.type.get(issue.type)?.level ?? 0;
}

/** What stands higher than any of them, what was changed last first. */
export function parentsFor(issues: readonly Issue[]): Option<number>[] {
  const highest = Math.max(...issues.map(levelOf));
  const above = tables.issue.all().filter((issue) => levelOf(issue) > highest);
  above.sort((one, other) => other.updated_at - one.updated_at);
  return [{ value: NO_PARENT, title: t.notBelow }, ...above.map(({ id, key, title }) => ({ value: id, title: `${key} ${title}` }))];
}

/** Those that are planned or run, in the projects of all of them. */
export function sprintsFor(issues: readonly Issue[]): Option<number | null>[] {
  const fits = open.value.filter((sprint) => issues.every((issue) => takes(sprint, issue.project)));
  const found = fits.map(({ id, name, state, end_date }) => ({
    value: id,
    title: name,
    mark: <Icon of="sprint" />,
    hint: state === "active" ? t.runs(end_date && day(end_date)) : t.planned,
  }));
  return [...found, { value: null, title: t.noSprint }];
}

export const NO_PARENT = 0;

const ESTIMATES = [1, 2, 3, 5, 8, 13];

export function estimates(): Option<number | null>[] {
  return [...ESTIMATES.map((value) => ({ value, title: number(value) })), { value: null, title: t.noEstimate }];
}

/** Any other number. */
export function numberInWords(text: string): Option<number> | undefined {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() && Number.isFinite(value) ? { value, title: number(value) } : undefined;
}

export function days(): Option<string>[] {
  const weekday = today().getDay();
  const offers: [string, string][] = [
    [t.days.today, dayFromNow(0)],
    [t.days.tomorrow, dayFromNow(1)],
    [t.days.friday, dayFromNow((12 - weekday) % 7 || 7)],
    [t.days.monday, dayFromNow((8 - weekday) % 7 || 7)],
    [t.days.weeks, dayFromNow(14)],
  ];
  return [
    ...offers.map(([title, value]) => ({ value, title, hint: day(value) })),
    { value: "", title: t.noDate },
  ];
}

/** `next fri`, `in 2w`, `5 dec`: as the server reads it. */
export async function dayInWords(text: string): Promise<Option<string> | undefined> {
  const { input } = await server.issues.parse({ text: `x due ${text}` });
  const due = input["due_date"];
  return typeof due === "string" ? { value: due, title: day(due), hint: text } : undefined;
}
