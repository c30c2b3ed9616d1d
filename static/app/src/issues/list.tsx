/** The list: rows of one height, of which only those on the screen are in the document. */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { isDismissed } from "../settings/start/dismissed.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { here } from "../ui/router.ts";
import { exactly, number, PRIORITIES, t, when } from "../ui/texts.ts";
import { activeRow, atHead, headId, toggle, turnGroup } from "./cursor.ts";
import { isChanged, projectPath } from "../filter/state.ts";
import { create, edit, newProject } from "./asked.ts";
import { listed } from "./listed.ts";
import { Due, Labels, nameOf, Who } from "./marks.tsx";
import { partOf } from "./lanes.ts";
import { doneCount, type HeadRow, held, isComing, isFiltered, type Row, rows, shown, showsDone, words } from "./query.ts";
import { useRow } from "./row.ts";
import { rowKey, standsAt, tall, useSeen } from "./seen.ts";
import { TroubleLine } from "./trouble.tsx";

/** To look at, where nothing is one's own yet. */
const MOST_PROJECTS = 3;

export function IssueList() {
  const box = useRef<HTMLDivElement>(null);
  const { span, onScroll, bring } = useSeen(box);
  const { first, seen } = span.value;
  return (
    <>
      <Came onBring={bring} />
      <div
        class="list"
        ref={box}
        role="grid"
        tabIndex={0}
        aria-label={t.issues}
        aria-rowcount={rows.value.length}
        aria-multiselectable="true"
        aria-activedescendant={activeRow}
        onScroll={onScroll}
      >
        <div class="whole" role="presentation" style={{ height: tall() }}>
          {seen.map((row, at) => (
            <Line key={rowKey(row)} row={row} index={first + at} />
          ))}
        </div>
        {!rows.value.length && <EmptyRow />}
        {doneCount.value > 0 && (
          <div role="row" aria-rowindex={rows.value.length + 1}>
            <span role="gridcell">
              <DoneButton />
            </span>
          </div>
        )}
      </div>
    </>
  );
}

/** What others brought, and waits until somebody asks for it. */
export function Came({ onBring }: { onBring: () => void }) {
  return (
    <div class="came" aria-live="polite">
      {held.value.size > 0 && <button type="button" onClick={onBring}>{t.came(held.value.size)} <kbd>U</kbd></button>}
    </div>
  );
}

/** What is done is folded away until somebody wants to see it. */
export function DoneButton() {
  if (!doneCount.value) return null;
  return (
    <button type="button" class="plain more" onClick={() => (showsDone.value = !showsDone.value)}>
      {showsDone.value ? t.hideDone : t.showDone(doneCount.value)}
    </button>
  );
}

function Line({ row, index }: { row: Row; index: number }) {
  const at = standsAt(index);
  if ("head" in row) return <HeadLine row={row} index={index} at={at} />;
  return <IssueRow id={row.issue} index={index} at={at} />;
}

type At = (it: HTMLElement | null) => void;

interface HeadProps {
  readonly row: HeadRow;
  readonly index: number;
  readonly at: At;
}

/** Of a group: a click folds it, or unfolds it. */
export function HeadLine({ row: { head, within, path, count, folded }, index, at }: HeadProps) {
  const on = useComputed(() => atHead.value === path);
  return (
    <div class={`row head${within ? " inner" : ""}${on.value ? " on" : ""}`} role="row" id={headId(path)} aria-rowindex={index + 1} ref={at} onClick={() => turnGroup(path)}>
      <span role="gridcell" class="grow">
        <button type="button" class="bare fold" tabIndex={-1} aria-expanded={!folded}>
          <Icon of={folded ? "next" : "less"} />
          {head.mark}
          <span class="name cut" dir="auto">{head.title}</span>
        </button>
        <span class="meta">{number(count)}</span>
        {within && <span class="hidden">{t.groupWithin(within.title)}</span>}
        {folded && <span class="hidden">{t.groupFolded}</span>}
      </span>
    </div>
  );
}

/** Its parts are drawn with it, as no components of their own: a screen of rows would make hundreds of them. */
function IssueRow({ id, index, at }: { id: number; index: number; at: At }) {
  const { picked, waits, trouble, attributes } = useRow(id, index + 1);
  const issue = tables.issue.watch(id);
  if (!issue) return null;
  const lane = tables.lane.watch(issue.lane);
  const [who] = issue.assignees;
  const Beside = listed.value?.Beside;
  const time = Beside ? issue.created_at : issue.updated_at;
  return (
    <div {...attributes(issue.key)} ref={at}>
      <span role="gridcell" class="pick">
        <input type="checkbox" tabIndex={-1} checked={picked} aria-label={issue.key} onClick={(event) => toggle(id, { range: event.shiftKey })} />
      </span>
      {cell(`${t.priority}: ${PRIORITIES[issue.priority]}`, PriorityIcon(issue), (it) => edit("priority", [id], it))}
      <span role="gridcell" class="key">{issue.key}</span>
      {cell(`${t.status}: ${lane?.name ?? ""}`, LaneIcon({ lane, part: partOf(lane) }), (it) => edit("status", [id], it))}
      <span role="gridcell" class="title" dir="auto">
        <a data-in href={`/issues/${issue.key}`} tabIndex={-1}>{issue.title}</a>
        {issue.blocked && <span class="blocked" title={t.conditions.blocked}>{Icon({ of: "blocked" })}</span>}
      </span>
      <span role="gridcell" class="rest">
        {trouble.value && <TroubleLine key={trouble.value.change.id} trouble={trouble.value} />}
        {issue.labels.length > 0 && Labels({ ids: issue.labels })}
        {issue.checks > 0 && count("check", `${issue.checks_done}/${issue.checks}`, t.checklist)}
        {issue.attachments > 0 && count("clip", String(issue.attachments), t.files)}
        {issue.comments > 0 && count("comment", String(issue.comments), t.comments)}
        {issue.due_date && Due({ date: issue.due_date, done: lane?.category === "done" })}
      </span>
      {Beside && <Beside id={id} />}
      {cell(`${t.assignee}: ${nameOf(who) ?? t.nobody}`, Who({ id: who }), (it) => edit("assignee", [id], it))}
      <span role="gridcell" class="time meta" title={exactly(time)}>
        {waits.value && <span class="waits" title={t.waits} />}
        {when(time)}
      </span>
    </div>
  );
}

function cell(label: string, mark: JSX.Element, onEdit: (it: Element) => void): JSX.Element {
  return (
    <span role="gridcell" class="cell">
      <button
        type="button"
        class="mini"
        tabIndex={-1}
        aria-label={label}
        title={label}
        onClick={(event) => {
          event.stopPropagation();
          onEdit(event.currentTarget);
        }}
      >
        {mark}
      </button>
    </span>
  );
}

function count(of: "check" | "clip" | "comment", text: string, title: string): JSX.Element {
  return (
    <span class="count meta" title={title}>
      {Icon({ of })}
      {text}
    </span>
  );
}

/** What a grid says in the place of rows: all that stands in one is in a cell. */
export function EmptyRow() {
  return <div role="row"><div role="gridcell"><Empty /></div></div>;
}

export function Empty() {
  if (shown.value.length) return null; // all of them are done
  if (isComing.value) return <p class="meta pad late-word">{t.loading}</p>;
  if (here.value.name === "view" && !isChanged.value && !words.value) return <p class="empty"><strong>{t.emptyView}</strong></p>;
  if (isFiltered.value || listed.value) return <p class="empty"><strong>{isFiltered.value ? t.emptyFilter : listed.value?.empty}</strong></p>;
  if (!tables.project.all().length) {
    return (
      <div class="empty">
        <strong>{t.noProjects}</strong>
        <p>{t.noProjectsWhat}</p>
        {may("projects:write") && (
          <button type="button" class="primary" onClick={newProject}>{t.newProject}</button>
        )}
        <FirstSteps />
      </div>
    );
  }
  const mine = here.value.name === "mine";
  return (
    <div class="empty">
      <strong>{mine ? t.emptyMine : t.emptyIssues}</strong>
      <p>{mine ? t.emptyMineWhat : t.emptyIssuesWhat}</p>
      <button type="button" class="primary" onClick={() => create()}>{t.newIssue} <kbd>C</kbd></button>
      {mine && <p class="below">{t.lookAt} {tables.project.all().filter((one) => one.archived_at === null).slice(0, MOST_PROJECTS).map(({ key, name }) => <a key={key} data-in class="in-text" href={projectPath(key)}>{name}</a>)}</p>}
      <FirstSteps />
    </div>
  );
}

/** For those who may do them, until they put them aside. */
function FirstSteps() {
  if (!may("admin") || isDismissed()) return null;
  return <p class="below"><a data-in class="in-text" href="/settings/start">{t.firstSteps}</a></p>;
}

