/** Issues under heads: one for each of what they are grouped by, in the order that people expect. */
import type { Grouping } from "../filter/state.ts";
import type { Issue, Priority } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { compare, PRIORITIES, t } from "../ui/texts.ts";
import { lanes, partOf } from "./lanes.ts";
import { Dot } from "./marks.tsx";
import type { Split } from "./nested.ts";
import type { Head } from "./query.ts";
import { inOrder } from "./sprints.ts";

export function splitBy(name: Grouping): Split<Head, Issue> {
  return {
    name,
    groups(issues) {
      const found = Map.groupBy(issues, KEYS[name]);
      return HEADS[name]([...found.keys()]).flatMap((head) => {
        const members = found.get(head.key);
        return members ? [{ head, members }] : [];
      });
    },
  };
}

/** Of several labels or people the first one counts. */
const KEYS: Readonly<Record<Grouping, (issue: Issue) => string>> = {
  status: (issue) => issue.lane,
  assignee: (issue) => issue.assignees[0] ?? "",
  priority: (issue) => issue.priority,
  label: (issue) => String(issue.labels[0] ?? ""),
  type: (issue) => issue.type,
  sprint: (issue) => String(issue.sprint ?? ""),
  project: (issue) => issue.project,
};

const HEADS: Readonly<Record<Grouping, (keys: readonly string[]) => Head[]>> = {
  status: () => lanes.value.map((lane) => ({ key: lane.key, title: lane.name, mark: <LaneIcon lane={lane} part={partOf(lane)} /> })),
  assignee: (keys) => {
    const heads = keys.filter(Boolean).map((id) => {
      const name = tables.member.get(id)?.name ?? id.replace(/^agent:/, "");
      return { key: id, title: name, mark: <Avatar id={id} name={name} agent={id.startsWith("agent:")} /> };
    });
    const first = (head: Head): number => Number(head.key !== myId.value);
    heads.sort((one, other) => first(one) - first(other) || compare(one.title, other.title));
    return [...heads, { key: "", title: t.nobody, mark: <span class="avatar nobody" /> }];
  },
  priority: () =>
    (Object.keys(PRIORITIES) as Priority[]).map((priority) => ({
      key: priority,
      title: PRIORITIES[priority],
      mark: <PriorityIcon priority={priority} />,
    })),
  label: (keys) => [
    ...keys
      .flatMap((key) => tables.label.get(Number(key)) ?? [])
      .sort((one, other) => compare(one.name, other.name))
      .map(({ id, name, color }) => ({ key: String(id), title: name, mark: <Dot color={color} /> })),
    { key: "", title: t.noLabels, mark: undefined },
  ],
  type: (keys) =>
    keys
      .map((key) => ({ key, title: tables.type.get(key)?.name ?? key, level: tables.type.get(key)?.level ?? 0, mark: undefined }))
      .sort((one, other) => other.level - one.level || compare(one.title, other.title)),
  sprint: (keys) => [
    ...inOrder.value.filter(({ id }) => keys.includes(String(id))).map(({ id, name }) => ({ key: String(id), title: name, mark: <Icon of="sprint" /> })),
    ...keys.filter((key) => key && !tables.sprint.get(Number(key))).map((key) => ({ key, title: `${t.sprint} ${key}`, mark: <Icon of="sprint" /> })),
    { key: "", title: t.noSprint, mark: undefined },
  ],
  project: (keys) =>
    keys
      .map((key) => ({ key, title: tables.project.get(key)?.name ?? key, mark: <Icon of="project" /> }))
      .sort((one, other) => compare(one.title, other.title)),
};
