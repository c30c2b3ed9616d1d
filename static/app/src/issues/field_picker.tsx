/** What can be chosen for a field, of one issue or of all that are selected. */
import { useEffect, useState } from "preact/hooks";
import type { BulkChanges } from "@kbwork/client";
import { today } from "../store/clock.ts";
import type { Issue, Priority } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { type Option, Picker } from "../ui/picker.tsx";
import { compare, day, dayFromNow, PRIORITIES, t } from "../ui/texts.ts";
import { dismiss, type Editing, previewBulk } from "./asked.ts";
import { words } from "./bulk_words.ts";
import { FIELDS, flow, leads, setAssignee, setDue, setLabel, setLane, setPriority } from "./edits.ts";
import { Dot } from "./marks.tsx";
import { columns, partOf } from "./lanes.ts";

/** From so many on one sees first what would happen, and they are changed by one call. */
const MANY = 20;

export function FieldPicker({ asked }: { asked: Editing }) {
  const issues = asked.issues.map((id) => tables.issue.watch(id)).filter((issue) => issue !== undefined);
  const props = { label: FIELDS[asked.field], at: asked.at, onClose: dismiss };
  if (asked.field === "status") {
    const chosen = [...new Set(issues.map((issue) => issue.lane))];
    const onChoose = (lane: string): void => {
      const title = tables.lane.get(lane)?.name ?? lane;
      change(issues, words.set(t.status, title), { to_status: lane }, () => setLane(issues, lane));
    };
    return <Status issues={issues} props={props} chosen={chosen} onChoose={onChoose} />;
  }
  if (asked.field === "priority") {
    const chosen = [...new Set(issues.map((issue) => issue.priority))];
    const onChoose = (priority: Priority): void =>
      change(issues, words.set(t.priority, PRIORITIES[priority]), { priority }, () => setPriority(issues, priority));
    return <Picker {...props} options={PRIORITY_CHOICES} chosen={chosen} onChoose={onChoose} />;
  }
  if (asked.field === "assignee") {
    const chosen = issues.length === 1 ? issues[0]!.assignees : [];
    const empty = chosen.length ? chosen : [""];
    const onChoose = (who: string): void => {
      const title = words.set(t.assignee, tables.member.get(who)?.name ?? t.nobody);
      change(issues, title, { assignees: who ? [who] : [] }, () => setAssignee(issues, who));
    };
    return <Picker {...props} options={people()} chosen={empty} onChoose={onChoose} />;
  }
  if (asked.field === "labels") {
    const chosen = labelsOfAll(issues);
    const onChoose = (id: number): void => {
      const name = tables.label.get(id)?.name ?? "";
      const off = chosen.includes(id);
      const title = off ? words.removeLabel(name) : words.addLabel(name);
      change(issues, title, off ? { remove_labels: [name] } : { add_labels: [name] }, () => setLabel(issues, id));
    };
    return <Picker {...props} options={labelsFor(issues)} chosen={chosen} many={issues.length < MANY} onChoose={onChoose} />;
  }
  const chosen = [...new Set(issues.map((issue) => issue.due_date ?? ""))];
  const onChoose = (due: string): void =>
    change(issues, words.set(t.due, due ? day(due) : t.noDate), { due_date: due }, () => setDue(issues, due));
  return <Picker {...props} options={days()} chosen={chosen} more={dayInWords} onChoose={onChoose} />;
}

/** A few are changed at once, each by itself; of many it is shown first what would happen. */
function change(issues: readonly Issue[], title: string, changes: BulkChanges, few: () => void): void {
  if (issues.length < MANY) few();
  else queueMicrotask(() => previewBulk({ title, issues: issues.map((issue) => issue.id), changes })); // behind this list
}

interface StatusProps {
  readonly issues: readonly Issue[];
  readonly props: { readonly label: string; readonly at: Element | null; readonly onClose: () => void };
  readonly chosen: readonly string[];
  readonly onChoose: (lane: string) => void;
}

/** Of one issue the server says which ways are shut, and why. */
function Status({ issues, props, chosen, onChoose }: StatusProps) {
  const [why, setWhy] = useState<ReadonlyMap<string, string>>(new Map());
  const key = issues.length === 1 ? issues[0]!.key : undefined;
  useEffect(() => {
    if (!key) return;
    let late = false;
    server.issues.transitions({ key }).then(
      (ways) => late || setWhy(new Map(ways.flatMap((way) => (way.allowed || !way.why ? [] : [[way.to_status, way.why] as const])))),
      () => undefined, // the server says it when it refuses
    );
    return () => {
      late = true;
    };
  }, [key]);
  const options = lanesFor(issues).map((option) => ({ ...option, shut: option.shut ?? why.get(option.value) }));
  return <Picker {...props} options={options} chosen={chosen} onChoose={onChoose} />;
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
  const weekday = today().getDay();
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
