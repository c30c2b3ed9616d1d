/** The fields of an issue that one sees and changes at its head. */
import { edit } from "../issues/asked.ts";
import { type Field, FIELDS } from "../issues/edits.ts";
import { Due, Labels, nameOf, Who } from "../issues/marks.tsx";
import { partOf } from "../issues/lanes.ts";
import type { Issue } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { PRIORITIES, t } from "../ui/texts.ts";

export function Fields({ issue }: { issue: Issue }) {
  const lane = tables.lane.watch(issue.lane);
  const parent = issue.parent === null ? undefined : tables.issue.watch(issue.parent);
  return (
    <div class="fields">
      <FieldButton of="status" issue={issue}>
        <LaneIcon lane={lane} part={partOf(lane)} />
        {lane?.name}
      </FieldButton>
      <FieldButton of="priority" issue={issue}>
        <PriorityIcon priority={issue.priority} />
        {PRIORITIES[issue.priority]}
      </FieldButton>
      <FieldButton of="assignee" issue={issue}>
        <Who id={issue.assignees[0]} />
        {issue.assignees.map((id) => nameOf(id)).join(", ") || t.nobody}
      </FieldButton>
      <FieldButton of="labels" issue={issue}>
        {issue.labels.length ? <Labels ids={issue.labels} /> : t.noLabels}
      </FieldButton>
      <FieldButton of="due" issue={issue}>
        {issue.due_date ? <Due date={issue.due_date} done={lane?.category === "done"} /> : t.noDate}
      </FieldButton>
      {parent && (
        <a class="chip" data-in href={`/issues/${parent.key}`} title={`${t.parent}: ${parent.title}`}>
          ↑ {parent.key}
        </a>
      )}
    </div>
  );
}

function FieldButton({ of, issue, children }: { of: Field; issue: Issue; children: preact.ComponentChildren }) {
  const label = FIELDS[of];
  return (
    <button type="button" class="chip" title={label} onClick={(event) => edit(of, [issue.id], event.currentTarget)}>
      <span class="hidden">{label}: </span>
      {children}
    </button>
  );
}
