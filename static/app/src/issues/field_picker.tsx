/** What can be chosen for a field, of one issue or of all that are selected. */
import type { Issue, Priority } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { type Option, Picker } from "../ui/picker.tsx";
import { compare, day, dayFromNow, PRIORITIES, t } from "../ui/texts.ts";
import { dismiss, type Editing } from "./asked.ts";
import { FIELDS, flow, leads, setAssignee, setDue, setLabel, setLane, setPriority } from "./edits.ts";
import { Dot } from "./marks.tsx";
import { columns, partOf } from "./query.ts";

export function FieldPicker({ asked }: { asked: Editing }) {
  const issues = asked.issues.map((id) => tables.issue.watch(id)).filter((issue) => issue !== undefined);
  const props = {
    label: FIELDS[asked.field],
    at: asked.at,
    onClose: dismiss,
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
