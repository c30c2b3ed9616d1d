/** What a table can show of issues: each column by the name that queries have for it. */
import type { ComponentChildren } from "preact";
import type { Sort } from "../filter/state.ts";
import { FIELDS, type Field } from "../issues/edits.ts";
import { partOf } from "../issues/lanes.ts";
import { Due, Labels, nameOf, Who } from "../issues/marks.tsx";
import { isFillable, ownText, OwnValue } from "../issues/own.tsx";
import type { Issue, OwnField } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { compare, day, exactly, number, precisely, PRIORITIES, t, when } from "../ui/texts.ts";
import { hasDigits, textOf, titleOf } from "./computed.ts";
import { valueOf } from "./own_values.ts";
import { words } from "./texts.ts";

export interface Column {
  readonly name: string;
  readonly title: string;
  /** As wide as it is unless somebody made it otherwise, in pixels. */
  readonly width: number;
  /** In words. */
  readonly text: (issue: Issue) => string;
  /** What stands before its text. */
  readonly mark?: (issue: Issue) => ComponentChildren;
  /** What stands there in place of its text. */
  readonly shows?: (issue: Issue) => ComponentChildren;
  /** By which it is changed; left out: it is only to be read. */
  readonly field?: Field;
  readonly own?: OwnField;
  readonly sort?: Sort;
  /** Its digits stand below each other. */
  readonly digits?: boolean;
  /** The server has to be asked for it. */
  readonly computed?: boolean;
}

export const KEY: Column = { name: "key", title: t.key, width: 92, text: (issue) => issue.key };
export const TITLE: Column = { name: "title", title: t.title, width: 340, text: (issue) => issue.title, sort: "title" };

const names = (all: readonly (string | undefined)[]): string => all.filter((name) => name !== undefined).join(", ");

const COLUMNS: readonly Column[] = [
  {
    ...of("status", 130),
    text: (issue) => tables.lane.watch(issue.lane)?.name ?? issue.lane,
    mark: (issue) => {
      const lane = tables.lane.watch(issue.lane);
      return <LaneIcon lane={lane} part={partOf(lane)} />;
    },
  },
  {
    ...of("priority", 110),
    text: (issue) => PRIORITIES[issue.priority],
    shows: ({ priority }) => <><PriorityIcon priority={priority} />{priority !== "none" && <span class="cut">{PRIORITIES[priority]}</span>}</>,
    sort: "priority",
  },
  {
    ...of("assignee", 150),
    text: (issue) => names(issue.assignees.map(nameOf)),
    mark: ({ assignees }) => assignees.length > 0 && <Who id={assignees[0]} />,
  },
  {
    ...of("due", 90),
    text: ({ due_date }) => (due_date ? day(due_date) : ""),
    shows: (issue) => issue.due_date && <Due date={issue.due_date} done={tables.lane.watch(issue.lane)?.category === "done"} />,
    sort: "due",
  },
  { ...of("start", 90), text: ({ start_date }) => (start_date ? day(start_date) : "") },
  {
    ...of("labels", 170, "label"),
    text: ({ labels }) => names(labels.map((id) => tables.label.watch(id)?.name)),
    shows: ({ labels }) => <Labels ids={labels} />,
  },
  { ...of("estimate", 80), text: ({ estimate }) => (estimate === null ? "" : precisely(estimate)), sort: "estimate", digits: true },
  { ...of("type", 90), text: (issue) => tables.type.watch(issue.type)?.name ?? issue.type },
  { ...of("sprint", 130), text: ({ sprint }) => (sprint === null ? "" : (tables.sprint.watch(sprint)?.name ?? String(sprint))) },
  { ...of("components", 140, "component"), text: ({ components }) => names(components.map((id) => tables.component.watch(id)?.name)) },
  { ...of("parent", 90), text: ({ parent }) => (parent === null ? "" : (tables.issue.watch(parent)?.key ?? "")) },
  { name: "project", title: t.project, width: 120, text: ({ project }) => tables.project.watch(project)?.name ?? project },
  { name: "reporter", title: t.reporter, width: 150, text: ({ reporter }) => nameOf(reporter) ?? "", mark: ({ reporter }) => <Who id={reporter} /> },
  time("created", words.created, (issue) => issue.created_at),
  time("updated", words.updated, (issue) => issue.updated_at),
  { name: "comments", title: t.comments, width: 90, text: ({ comments }) => (comments ? number(comments) : ""), digits: true },
  { name: "checks", title: words.checklist, width: 90, text: ({ checks, checks_done }) => (checks ? `${number(checks_done)}/${number(checks)}` : ""), digits: true },
];

function of(field: Field, width: number, name: string = field): Pick<Column, "name" | "title" | "width" | "field"> {
  return { name, title: FIELDS[field], width, field };
}

function time(sort: "created" | "updated", title: string, at: (issue: Issue) => number): Column {
  return {
    name: sort,
    title,
    width: 100,
    sort,
    text: (issue) => when(at(issue)),
    shows: (issue) => <span class="meta" title={exactly(at(issue))}>{when(at(issue))}</span>,
  };
}

const DIGITS: readonly string[] = ["number", "money", "duration"];
const OWN = "cf.";

/** All that there may be: those that every issue has, then those that the org made, by name. */
export function allColumns(): Column[] {
  const own = tables.field.all().filter((field) => field.on === "issue" && field.kind !== "paragraph");
  return [...COLUMNS, ...own.sort((one, other) => compare(one.name, other.name)).map(ofOwn)];
}

/** As it is named so; undefined: there is none, or none any more. */
export function columnOf(name: string): Column | undefined {
  const found = COLUMNS.find((one) => one.name === name);
  if (found) return found;
  const field = tables.field.watch(name.startsWith(OWN) ? name.slice(OWN.length) : name);
  return field?.on === "issue" ? ofOwn(field) : undefined;
}

/** What no issue has by itself: a query computes it. */
export function computedColumn(name: string): Column {
  return { name, title: titleOf(name), width: 130, text: (issue) => textOf(issue, name), digits: hasDigits(name), computed: true };
}

function ofOwn(field: OwnField): Column {
  return {
    name: `${OWN}${field.key}`,
    title: field.name,
    width: 130,
    own: field,
    text: (issue) => ownText(field, valueOf(issue, field)),
    shows: (issue) => <OwnValue field={field} value={valueOf(issue, field)} />,
    digits: DIGITS.includes(field.kind),
  };
}

/** Whether an issue of that project and type may hold it, and it is set by people. */
export function takesValue({ projects, types, ...field }: OwnField, issue: Issue): boolean {
  const fits = (some: readonly string[], one: string): boolean => !some.length || some.includes(one);
  return isFillable({ projects, types, ...field }) && fits(projects, issue.project) && fits(types, issue.type);
}

/** What shows that a field is blocked beside its title. */
export const BLOCKED = <span class="blocked" title={t.conditions.blocked}><Icon of="blocked" /></span>;
