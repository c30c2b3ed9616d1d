/** The fields of an issue that one sees and changes at its head. */
import { useEffect, useState } from "preact/hooks";
import { choose, edit } from "../issues/asked.ts";
import { type Field, FIELDS } from "../issues/edits.ts";
import { canChoose } from "../issues/field_choices.tsx";
import { Due, Labels, nameOf, Who } from "../issues/marks.tsx";
import { partOf } from "../issues/lanes.ts";
import { isFillable, isLink, type LaidOut, OwnChip } from "../issues/own.tsx";
import { OwnEditorOfIssue } from "../screens/parts.tsx";
import type { Issue } from "../store/kinds.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { offer } from "../ui/commands.ts";
import { Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { day, number, PRIORITIES, t } from "../ui/texts.ts";
import { type Details, ownOf, showOwn } from "./details.ts";

/** Those that many issues have no use for: they stand there once they hold something. */
const SELDOM = ["components", "estimate", "start", "parent"] as const;

interface Own extends LaidOut {
  readonly value: unknown;
}

export function Fields({ issue, found }: { issue: Issue; found: Details | undefined }) {
  const own = found ? ownOf(issue, found) : [];
  const canEdit = may("issues:write") && found?.whole.can.edit === true;
  const [editing, setEditing] = useState<{ key: string; at: Element | null }>();
  const editOne = (key: string, at: Element | null): void => setEditing({ key, at });
  const edited = own.find(({ field }) => field.key === editing?.key);
  const settable = canEdit ? own.filter(({ field }) => isFillable(field)) : [];
  useEffect(() => {
    if (settable.length) OwnEditorOfIssue.fetch().catch(() => undefined); // it comes when it is needed, then
    return offer(settable.map(({ field: { key, name } }) => ({
      id: `own:${key}`, title: t.change(name), group: t.issue, run: () => editOne(key, document.querySelector(`.issue [data-own="${key}"]`)),
    })));
  }, [issue.id, settable.map(({ field }) => field.key + field.name).join()]);
  const lane = tables.lane.watch(issue.lane);
  const parent = issue.parent === null ? undefined : tables.issue.watch(issue.parent);
  return (
    <>
      <div class="fields">
        <FieldButton of="type" issue={issue}>{tables.type.watch(issue.type)?.name ?? issue.type}</FieldButton>
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
        {issue.components.length > 0 && (
          <FieldButton of="components" issue={issue}>
            {issue.components.map((id) => tables.component.watch(id)?.name).join(", ")}
          </FieldButton>
        )}
        {issue.estimate !== null && <FieldButton of="estimate" issue={issue}><span aria-hidden="true">≈</span>{number(issue.estimate)}</FieldButton>}
        {issue.start_date && <FieldButton of="start" issue={issue}>{`${t.from} ${day(issue.start_date)}`}</FieldButton>}
        {parent && (
          <a class="chip" data-in href={`/issues/${parent.key}`} title={`${t.parent}: ${parent.title}`}>
            ↑ {parent.key}
          </a>
        )}
        {own.map(({ field, value, needed }) => field.kind !== "paragraph" && (value !== null || needed) && (
          <OwnChip
            key={field.key}
            field={field}
            value={value}
            needed={needed}
            onEdit={canEdit && isFillable(field) && !(isLink(field) && value !== null) ? (at) => editOne(field.key, at) : undefined}
          />
        ))}
        <More issue={issue} own={settable} onEdit={editOne} />
      </div>
      {own.map(({ field: { key, kind, name }, value }) => kind === "paragraph" && value !== null && (
        <section key={key} aria-label={name}>
          <h2 class="bar">
            {name}
            {canEdit && <button type="button" class="plain" data-own={key} aria-label={t.change(name)} onClick={(event) => editOne(key, event.currentTarget)}>{t.edit}</button>}
          </h2>
          <Markdown text={String(value)} />
        </section>
      ))}
    {editing && edited && found && (
      <Part
        of={OwnEditorOfIssue}
        props={{
          ...edited,
          issue,
          at: editing.at,
          seq: found.whole.seq,
          onShow: (value) => showOwn(issue.id, editing.key, value),
          onClose: () => setEditing(undefined),
        }}
        above
      />
    )}
    </>
  );
}

/** The fields that are not there yet, and what is shown as a link. */
interface MoreProps {
  readonly issue: Issue;
  readonly own: readonly Own[];
  readonly onEdit: (key: string, at: Element) => void;
}

function More({ issue, own, onEdit }: MoreProps) {
  const holds = { components: issue.components.length > 0, estimate: issue.estimate !== null, start: issue.start_date !== null, parent: false };
  const fields = SELDOM.filter((field) => !holds[field] && canChoose(field, issue));
  const more = own.filter(({ field, value, needed }) => (value === null ? !needed : isLink(field)));
  if (!(fields.length + more.length) || !may("issues:write")) return null;
  const options = [
    ...fields.map((field) => ({ title: FIELDS[field], run: (at: Element) => edit(field, [issue.id], at) })),
    ...more.map(({ field: { key, name } }) => ({ title: name, run: (at: Element) => onEdit(key, at) })),
  ];
  const ask = (at: Element): void => choose({ label: t.addField, at, options: options.map(({ title, run }) => ({ title, run: () => run(at) })) });
  return (
    <button type="button" class="chip" onClick={(event) => ask(event.currentTarget)}>
      <Icon of="plus" />
      {t.addField}
    </button>
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
