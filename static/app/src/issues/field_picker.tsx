/** What can be chosen for a field, of one issue or of all that are selected. */
import { useEffect, useState } from "preact/hooks";
import type { BulkChanges } from "@kbwork/client";
import type { Issue } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { type Option, Picker } from "../ui/picker.tsx";
import { day, number, PRIORITIES, t } from "../ui/texts.ts";
import { dismiss, type Editing, previewBulk } from "./asked.ts";
import { words } from "./bulk_words.ts";
import { type Field, FIELDS, setAssignee, setDue, setEstimate, setLane, setParent, setPriority, setSprint, setStart, setType, toggle } from "./edits.ts";
import * as choices from "./field_choices.tsx";

/** From so many on one sees first what would happen, and they are changed by one call. */
const MANY = 20;
/** Of what there may be thousands, so many are shown. */
const MOST = 50;

interface FieldProps {
  readonly issues: readonly Issue[];
  /** How the list of choices stands there, whatever is in it. */
  readonly list: { readonly label: string; readonly at: Element | null; readonly onClose: () => void };
}

const PICKERS: Record<Field, (props: FieldProps) => preact.JSX.Element> = {
  status: Status,
  priority: ({ issues, list }) => {
    const set = (priority: Issue["priority"]): void =>
      change(issues, words.set(t.priority, PRIORITIES[priority]), { priority }, () => setPriority(issues, priority));
    return <Picker {...list} options={choices.PRIORITY_CHOICES} chosen={those(issues, "priority")} onChoose={set} />;
  },
  assignee: ({ issues, list }) => {
    const chosen = issues.length === 1 ? issues[0]!.assignees : [];
    const set = (who: string): void => {
      const title = words.set(t.assignee, tables.member.get(who)?.name ?? t.nobody);
      change(issues, title, { assignees: who ? [who] : [] }, () => setAssignee(issues, who));
    };
    return <Picker {...list} options={choices.people()} chosen={chosen.length ? chosen : [""]} onChoose={set} />;
  },
  labels: ({ issues, list }) => {
    const chosen = choices.common(issues, "labels");
    const set = (id: number): void => {
      const name = tables.label.get(id)?.name ?? "";
      const off = chosen.includes(id);
      const title = off ? words.removeLabel(name) : words.addLabel(name);
      change(issues, title, off ? { remove_labels: [name] } : { add_labels: [name] }, () => toggle("labels", issues, id));
    };
    return <Picker {...list} options={choices.labelsFor(issues)} chosen={chosen} many={issues.length < MANY} onChoose={set} />;
  },
  components: ({ issues, list }) => {
    const set = (id: number): void => toggle("components", issues, id);
    return <Picker {...list} options={choices.componentsFor(issues)} chosen={choices.common(issues, "components")} many onChoose={set} />;
  },
  due: ({ issues, list }) => {
    const set = (due: string): void => change(issues, words.set(t.due, due ? day(due) : t.noDate), { due_date: due }, () => setDue(issues, due));
    return <Picker {...list} options={choices.days()} chosen={those(issues, "due_date", "")} more={choices.dayInWords} onChoose={set} />;
  },
  start: ({ issues, list }) => {
    const set = (start: string): void =>
      change(issues, words.set(t.start, start ? day(start) : t.noDate), { start_date: start }, () => setStart(issues, start));
    return <Picker {...list} options={choices.days()} chosen={those(issues, "start_date", "")} more={choices.dayInWords} onChoose={set} />;
  },
  estimate: ({ issues, list }) => {
    const set = (estimate: number | null): void =>
      change(issues, words.set(t.estimate, estimate === null ? t.noEstimate : number(estimate)), { estimate }, () => setEstimate(issues, estimate));
    return <Picker {...list} options={choices.estimates()} chosen={those(issues, "estimate")} also={choices.numberInWords} onChoose={set} />;
  },
  parent: ({ issues, list }) => {
    const set = (id: number): void => {
      const parent = tables.issue.get(id);
      change(issues, words.set(t.parent, parent?.key ?? t.notBelow), { parent: parent?.key ?? "" }, () => setParent(issues, parent));
    };
    return <Picker {...list} options={choices.parentsFor(issues)} chosen={those(issues, "parent", choices.NO_PARENT)} most={MOST} onChoose={set} />;
  },
  sprint: ({ issues, list }) => {
    const set = (sprint: number | null): void => {
      const title = words.set(t.sprint, tables.sprint.get(sprint ?? -1)?.name ?? t.noSprint);
      change(issues, title, { sprint }, () => setSprint(issues, sprint));
    };
    return <Picker {...list} options={choices.sprintsFor(issues)} chosen={those(issues, "sprint")} onChoose={set} />;
  },
  type: ({ issues, list }) => {
    const set = (key: string): void => {
      const type = tables.type.get(key);
      if (type) setType(issues, type);
    };
    return <Picker {...list} options={choices.typesFor(issues)} chosen={those(issues, "type")} onChoose={set} />;
  },
};

export function FieldPicker({ asked }: { asked: Editing }) {
  const issues = asked.issues.map((id) => tables.issue.watch(id)).filter((issue) => issue !== undefined);
  const Of = PICKERS[asked.field];
  return <Of issues={issues} list={{ label: FIELDS[asked.field], at: asked.at, onClose: dismiss }} />;
}

/** What stands there in any of them; `none`: in the place of nothing. */
function those<K extends keyof Issue>(issues: readonly Issue[], column: K): Issue[K][];
function those<K extends keyof Issue, N>(issues: readonly Issue[], column: K, none: N): (NonNullable<Issue[K]> | N)[];
function those<K extends keyof Issue>(issues: readonly Issue[], column: K, none: unknown = null): unknown[] {
  return [...new Set(issues.map((issue) => issue[column] ?? none))];
}

/** A few are changed at once, each by itself; of many it is shown first what would happen. */
function change(issues: readonly Issue[], title: string, changes: BulkChanges, few: () => void): void {
  if (issues.length < MANY) few();
  else queueMicrotask(() => previewBulk({ title, issues: issues.map((issue) => issue.id), changes })); // behind this list
}

/** Of one issue the server says which ways are shut, and why. */
function Status({ issues, list }: FieldProps) {
  const [why, setWhy] = useState<ReadonlyMap<string, string>>(new Map());
  const key = issues.length === 1 ? issues[0]!.key : undefined;
  useEffect(() => {
    if (!key) return;
    let late = false;
    server.issues.transitions({ key }).then(
      (ways) => late || setWhy(new Map(ways.flatMap((way) => (way.allowed || !way.why || way.approvers.length ? [] : [[way.to_status, way.why] as const])))),
      () => undefined, // the server says it when it refuses
    );
    return () => {
      late = true;
    };
  }, [key]);
  const options: Option<string>[] = choices.lanesFor(issues).map((option) => ({ ...option, shut: option.shut ?? why.get(option.value) }));
  const set = (lane: string): void => {
    const title = tables.lane.get(lane)?.name ?? lane;
    change(issues, words.set(t.status, title), { to_status: lane }, () => setLane(issues, lane));
  };
  return <Picker {...list} options={options} chosen={those(issues, "lane")} onChoose={set} />;
}
