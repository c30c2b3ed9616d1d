/** The table: a row for each issue of the list, with the columns that one chooses, changed in place. */
import { signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { TargetedMouseEvent, TargetedPointerEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chosen, setColumns, setWidth, widthOf } from "../filter/columns.ts";
import { chooseSort, sort } from "../filter/state.ts";
import { edit } from "../issues/asked.ts";
import { atCursor, atHead, cursor, headId, move, targets, toggle } from "../issues/cursor.ts";
import { setTitle } from "../issues/edits.ts";
import { Came, DoneButton, EmptyRow, HeadLine } from "../issues/list.tsx";
import { rows } from "../issues/query.ts";
import { useRow } from "../issues/row.ts";
import { standsAt, tall, useSeen } from "../issues/seen.ts";
import { TroubleLine } from "../issues/trouble.tsx";
import { OwnEditorOfIssue } from "../screens/parts.tsx";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { OwnField } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { tables } from "../store/tables.ts";
import { type Command, offer } from "../ui/commands.ts";
import { rowPx } from "../ui/density.ts";
import { Icon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { Layer } from "../ui/layer.tsx";
import { Picker } from "../ui/picker.tsx";
import { t } from "../ui/texts.ts";
import { allColumns, BLOCKED, type Column, columnOf, computedColumn, KEY, takesValue, TITLE } from "./columns.tsx";
import { useComputedCells } from "./computed.ts";
import { heldOf, showValue, useOwnValues, valueOf } from "./own_values.ts";
import { words } from "./texts.ts";

const LEAST_PX = 48;
const MOST_PX = 1_200;
const STEP_PX = 24;

interface OwnEditing {
  readonly id: number;
  readonly field: OwnField;
  readonly at: Element | null;
}

interface Titling {
  readonly id: number;
  readonly at: Element | null;
}

/** The column of the cursor, among all that there are. */
const column = signal(1);
const editing = signal<OwnEditing | undefined>(undefined);
const titling = signal<Titling | undefined>(undefined);

export function Table() {
  const box = useRef<HTMLDivElement>(null);
  const choosing = useSignal<Element | undefined>(undefined);
  const columns = useComputed(() => [KEY, TITLE, ...chosen.value.map(columnNamed)]);
  const { span, onScroll, bring } = useSeen(box, 1);
  const { first, seen } = span.value;
  const all = columns.value;
  const seenIds = useComputed(() => span.value.seen.flatMap((row) => ("issue" in row ? [row.issue] : [])));
  const asked = useComputed(() => {
    if (!columns.value.some(({ own }) => own)) return [];
    return seenIds.value;
  });
  useOwnValues(asked);
  const computed = useComputed(() => columns.value.flatMap((one) => (one.computed ? [one.name] : [])));
  useComputedCells(seenIds, computed);
  useLayoutEffect(() => offer(commandsOf(() => columns.peek(), box, (at) => (choosing.value = at))), []);
  const on = useComputed(() => Math.min(column.value, columns.value.length - 1));
  const active = useComputed(() => {
    if (atHead.value !== undefined) return headId(atHead.value);
    return atCursor.value === undefined ? undefined : cellId(atCursor.value, on.value);
  });
  useSignalEffect(() => {
    // The first two stay in sight.
    if (active.value && atHead.value === undefined && on.value >= FIXED.length) document.getElementById(active.value)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const widths = all.map(({ name, width }) => widthOf(name, width));
  const [key, title, ...others] = widths;
  const tracks = ["var(--pick-and-key)", "var(--title)", ...others.map((width) => `${width}px`), "minmax(40px, 1fr)"];
  const style = { "--tracks": tracks.join(" "), "--key": `${key}px`, "--title": `min(${title}px, var(--widest-title))`, "--wide": `${widths.reduce((sum, width) => sum + width, 72)}px` };
  return (
    <>
      <Came onBring={bring} />
      <div
        class="list laid table"
        ref={box}
        role="grid"
        tabIndex={0}
        style={style}
        aria-label={t.issues}
        aria-rowcount={rows.value.length + 1}
        aria-colcount={all.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={active}
        onScroll={onScroll}
      >
        <div class="heads" role="row" aria-rowindex={1}>
          {all.map((one, at) => <ColumnHead key={one.name} column={one} at={at} />)}
          <span role="columnheader" class="cell" aria-colindex={all.length + 1}>
            <button type="button" class="mini" aria-label={words.chooseColumns} title={words.chooseColumns} onClick={(event) => (choosing.value = event.currentTarget)}>
              <Icon of="plus" />
            </button>
          </span>
        </div>
        <div class="whole" role="presentation" style={{ height: tall() }}>
          {seen.map((row, at) =>
            "issue" in row ? (
              <IssueRow key={row.issue} id={row.issue} index={first + at} columns={all} />
            ) : (
              <HeadLine key={row.path} row={row} index={first + at + 1} at={standsAt(first + at)} />
            ),
          )}
        </div>
        {!rows.value.length && <EmptyRow />}
      </div>
      <DoneButton />
      {choosing.value && <Choosing at={choosing.value} onClose={() => (choosing.value = undefined)} />}
      {editing.value && <OwnEditing {...editing.value} />}
      {titling.value && <TitleEditing key={titling.value.id} {...titling.value} />}
    </>
  );
}

const columnNamed = (name: string): Column => columnOf(name) ?? computedColumn(name);

function cellId(id: number, at: number): string {
  return `cell-${id}-${at}`;
}

function ColumnHead({ column: { name, title, width, sort: by, digits }, at }: { column: Column; at: number }) {
  const on = by !== undefined && sort.value.by === by;
  const order = on ? (sort.value.back ? "descending" : "ascending") : undefined;
  return (
    <span role="columnheader" class={classOf(at, digits)} aria-colindex={at + 1} aria-sort={order}>
      {by === undefined ? (
        <span class="cut">{title}</span>
      ) : (
        <button type="button" class="plain cut" onClick={() => chooseSort(by)}>
          {title}
          {on && <span aria-hidden="true">{sort.value.back ? "↓" : "↑"}</span>}
        </button>
      )}
      <span
        class="grip"
        aria-hidden="true"
        onPointerDown={(event) => drag(event, name, widthOf(name, width))}
        onDblClick={() => setWidth(name, undefined)}
      />
    </span>
  );
}

const FIXED = ["first", "second"];

function classOf(at: number, digits: boolean | undefined): string {
  return ["cell", FIXED[at], digits && "digits"].filter(Boolean).join(" ");
}

const isTurned = (element: Element): boolean => getComputedStyle(element).direction === "rtl";

/** Make a column wider or narrower as long as the pointer is held. */
function drag(event: TargetedPointerEvent<HTMLElement>, name: string, width: number): void {
  const grip = event.currentTarget;
  const from = event.clientX;
  const turn = isTurned(grip) ? -1 : 1;
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  const go = ({ clientX }: PointerEvent): void => resize(name, width + (clientX - from) * turn);
  const end = (): void => grip.removeEventListener("pointermove", go);
  grip.addEventListener("pointermove", go);
  grip.addEventListener("lostpointercapture", end, { once: true });
}

function resize(name: string, width: number): void {
  setWidth(name, Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, width))));
}

function IssueRow({ id, index, columns }: { id: number; index: number; columns: readonly Column[] }) {
  const { picked, waits, trouble, attributes } = useRow(id, index + 2);
  const cell = useComputed(() => (cursor.value === id ? Math.min(column.value, columns.length - 1) : undefined));
  const issue = tables.issue.watch(id);
  if (!issue) return null;
  const row = attributes(issue.key);
  const click = (event: TargetedMouseEvent<HTMLElement>): void => {
    const at = Number((event.target as Element).closest("[aria-colindex]")?.getAttribute("aria-colindex") ?? 0) - 1;
    if (at >= 0) column.value = Math.min(at, columns.length - 1);
    row.onClick(event);
  };
  const about = (at: number, digits?: boolean) => ({
    role: "gridcell" as const,
    id: cellId(id, at),
    "aria-colindex": at + 1,
    class: `${classOf(at, digits)}${cell.value === at ? " at" : ""}`,
  });
  const [, , ...others] = columns;
  return (
    <div {...row} ref={standsAt(index)} onClick={click}>
      <span {...about(0)}>
        <span class="pick">
          <input type="checkbox" tabIndex={-1} checked={picked} aria-label={issue.key} onClick={(event) => toggle(id, { range: event.shiftKey })} />
        </span>
        <span class="key">{issue.key}</span>
      </span>
      <span {...about(1)}>
        <span class="title" dir="auto">
          <a data-in href={`/issues/${issue.key}`} tabIndex={-1}>{issue.title}</a>
          {issue.blocked && BLOCKED}
        </span>
        {trouble.value && <TroubleLine key={trouble.value.change.id} trouble={trouble.value} />}
        {waits.value && <span class="waits" title={t.waits} />}
      </span>
      {others.map((one, index) => {
        const text = one.text(issue);
        const shown = one.shows ? one.shows(issue) : <>{one.mark?.(issue)}<span class="cut" dir="auto">{text}</span></>;
        const begin = beginOf(one, id);
        return (
          <span key={one.name} {...about(index + 2, one.digits)}>
            {begin ? (
              <button type="button" class="bare" tabIndex={-1} aria-label={words.cell(one.title, text)} title={words.cell(one.title, text)} onClick={(event) => begin(event.currentTarget)}>
                {shown}
              </button>
            ) : (
              <span class="bar shown">{shown}</span>
            )}
          </span>
        );
      })}
    </div>
  );
}

/** What changes a cell; undefined: it is only to be read. */
function beginOf({ field, own }: Column, id: number): ((at: Element | null) => void) | undefined {
  if (field) return (at) => edit(field, [id], at);
  const issue = tables.issue.watch(id);
  if (!own || !issue || !takesValue(own, issue) || !heldOf(id)) return undefined;
  return (at) => {
    editing.value = { id, field: own, at };
  };
}

function OwnEditing({ id, field, at }: OwnEditing) {
  const issue = tables.issue.watch(id);
  const close = (): void => {
    editing.value = undefined;
  };
  useLayoutEffect(() => close, []);
  if (!issue) return null;
  const props = {
    issue,
    field,
    at,
    value: valueOf(issue, field),
    seq: heldOf(id)?.seq ?? 0,
    onShow: (value: unknown) => showValue(id, field.key, value),
    onConvert: undefined,
    onClose: close,
  };
  return <Part of={OwnEditorOfIssue} props={props} above />;
}

/** What is written and not taken stands there when it is begun again. */
function TitleEditing({ id, at }: Titling) {
  const issue = tables.issue.watch(id);
  const name = `title.${id}`;
  const [text, setText] = useState(draftOf(name) || (issue?.title ?? ""));
  const [seq] = useState(place.seq);
  const close = (): void => {
    titling.value = undefined;
  };
  const write = (next: string): void => {
    setText(next);
    keepDraft(name, next === issue?.title ? "" : next);
  };
  useLayoutEffect(() => close, []);
  if (!issue) return null;
  return (
    <Layer label={t.title} kind="popover" at={at} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTitle(issue, text, seq);
          keepDraft(name, "");
          close();
        }}
      >
        <input class="ask" aria-label={t.title} value={text} required maxLength={500} autocomplete="off" dir="auto" onInput={(event) => write(event.currentTarget.value)} />
      </form>
    </Layer>
  );
}

function Choosing({ at, onClose }: { at: Element; onClose: () => void }) {
  const own = chosen.value.map(columnNamed);
  const options = [...allColumns(), ...own.filter(({ computed }) => computed)].map(({ name, title }) => ({ value: name, title }));
  const shown = own.map(({ name }) => name);
  const turn = (name: string): void => setColumns(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]);
  return <Picker label={words.columns} at={at} options={options} chosen={shown} many onChoose={turn} onClose={onClose} />;
}

/** What keys do beside those of a list. */
function commandsOf(columns: () => readonly Column[], box: { readonly current: HTMLElement | null }, choose: (at: Element) => void): Command[] {
  const last = (): number => columns().length - 1;
  const at = (): number => Math.min(column.peek(), last());
  const to = (next: number): void => {
    column.value = Math.min(last(), Math.max(0, next));
    if (atHead.peek() === undefined && atCursor.peek() === undefined) move(1);
  };
  const aside = (step: number): void => to(at() + (isTurned(box.current!) ? -step : step));
  const page = (): number => Math.max(1, Math.floor(box.current!.clientHeight / rowPx.peek()) - 2);
  const size = (step: number): void => {
    const { name, width } = columns()[at()]!;
    resize(name, widthOf(name, width) + step);
  };
  const shift = (step: number): void => {
    const names = columns().slice(2).map(({ name }) => name);
    const from = at() - 2;
    const [one] = names.splice(from, 1);
    setColumns(names.toSpliced(from + step, 0, one!));
    column.value = from + step + 2;
  };
  const has = (): boolean => atCursor.value !== undefined;
  const isChosen = (step: number) => (): boolean => has() && at() >= 2 && at() + step >= 2 && at() + step <= last();
  const group = t.table;
  return [
    { id: "cell-left", title: words.cellBefore, group, keys: ["ArrowLeft"], run: () => aside(-1) },
    { id: "cell-right", title: words.cellBehind, group, keys: ["ArrowRight"], run: () => aside(1) },
    { id: "cell-first", title: words.firstCell, group, keys: ["Home"], run: () => to(0) },
    { id: "cell-last", title: words.lastCell, group, keys: ["End"], run: () => to(last()) },
    { id: "page-down", title: words.pageDown, group, keys: ["PageDown"], run: () => move(page()) },
    { id: "page-up", title: words.pageUp, group, keys: ["PageUp"], run: () => move(-page()) },
    { id: "cell-change", title: words.changeCell, group, keys: ["F2"], when: has, run: () => changeCell(columns()[at()]!, at()) },
    { id: "column-narrower", title: words.narrower, group, keys: ["Shift+ArrowLeft"], when: has, run: () => size(-STEP_PX) },
    { id: "column-wider", title: words.wider, group, keys: ["Shift+ArrowRight"], when: has, run: () => size(STEP_PX) },
    { id: "column-before", title: words.columnBefore, group, when: isChosen(-1), run: () => shift(-1) },
    { id: "column-behind", title: words.columnBehind, group, when: isChosen(1), run: () => shift(1) },
    { id: "columns", title: words.chooseColumns, group, keys: ["Shift+O"], run: () => choose(box.current!.querySelector(".heads > :last-child button")!) },
  ];
}

/** Of all that are selected, where that is a field that every issue has. */
function changeCell(one: Column, at: number): void {
  const id = cursor.peek()!;
  const element = document.getElementById(cellId(id, at));
  if (one.field) edit(one.field, targets(), element);
  else if (one === TITLE) titling.value = { id, at: element };
  else beginOf(one, id)?.(element);
}
