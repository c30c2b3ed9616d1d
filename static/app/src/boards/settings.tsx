/** Making a board, and saying which columns, filters and rows it has. What is written stays until it is saved or thrown away. */
import { type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Board, type In, type Name, Problem } from "@kbwork/client";
import { usualName } from "../filter/columns.ts";
import { openProjects } from "../issues/drafted.ts";
import { columns as lanesInOrder } from "../issues/lanes.ts";
import { allColumns, columnOf } from "../layouts/columns.tsx";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { away, random, server } from "../store/server.ts";
import { Sending } from "../store/sending.ts";
import { tables } from "../store/tables.ts";
import { FormDialog } from "../ui/form_dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { go } from "../ui/router.ts";
import { compare, t } from "../ui/texts.ts";
import { isColouring } from "./colors.ts";
import { type Column, type Filter, merge, type Written } from "./merge.ts";
import { words } from "./texts.ts";

/** Fields that a card takes on when it is dropped into a row. */
const ROWS: Readonly<Record<string, string>> = { assignee: t.assignee, priority: t.priority, parent: t.parent, reporter: t.reporter, estimate: t.estimate };

/** What is written into a form, kept under a name. Answers it, what sets some of it, and what ends it. */
function useDraft<T extends object>(name: string, begin: T): readonly [T, (some: Partial<T>) => void, () => void] {
  const [held, setHeld] = useState<T>(() => ({ ...begin, ...(JSON.parse(draftOf(name) || "{}") as Partial<T>) }));
  const set = (some: Partial<T>): void => {
    const next = { ...held, ...some };
    setHeld(next);
    keepDraft(name, JSON.stringify(next));
  };
  return [held, set, () => keepDraft(name, "")];
}

interface FormProps {
  readonly title: string;
  readonly save: string;
  /** What stands against it from the start. */
  readonly wrong?: string | undefined;
  /** Answers why it is not taken. */
  readonly onSave: () => Promise<string | undefined>;
  readonly onCancel: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

function Form({ title, save, wrong: first, onSave, onCancel, onClose, children }: FormProps) {
  const [wrong, setWrong] = useState(first);
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setWrong(await onSave());
    setBusy(false);
  };
  return <FormDialog title={title} button={save} busy={busy} wrong={wrong} onSend={send} onClose={onClose} onCancel={onCancel}>{children}</FormDialog>;
}

const NEW = "board.new";

export function NewBoard({ onClose }: { onClose: () => void }) {
  const projects = openProjects();
  const [{ name, project }, set, done] = useDraft(NEW, { name: "", project: projects[0]?.key ?? "" });
  const sending = useRef(new Sending());
  const save = async (): Promise<string | undefined> => {
    const { data, seq, wrong } = await sending.current.send("boards.save", { name, project: project || null, tql: project ? `project = ${project}` : "" });
    if (!data || seq === undefined) return wrong;
    remember(words.made(name), seq);
    done();
    onClose();
    go(`/boards/${data.id}`);
    return undefined;
  };
  return (
    <Form title={words.make} save={words.makeIt} onSave={save} onCancel={() => (done(), onClose())} onClose={onClose}>
      <label class="field">
        {words.name}
        <input value={name} required maxLength={200} autocomplete="off" placeholder={words.namePlaceholder} onInput={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <label class="field">
        {words.project}
        <select value={project} onChange={(event) => set({ project: event.currentTarget.value })}>
          {projects.map(({ key, name }) => <option key={key} value={key}>{name}</option>)}
          <option value="">{words.noProject}</option>
        </select>
        <span class="meta">{words.projectWhat}</span>
      </label>
    </Form>
  );
}

const written = ({ name, tql, swimlanes, color_by, card_fields, columns, quick_filters }: Board): Written => ({
  name,
  tql,
  swimlanes: swimlanes ?? "",
  color: color_by ?? "",
  cards: card_fields,
  columns: columns.map((one) => ({ ...one, limit: one.limit === null ? "" : String(one.limit) })),
  filters: quick_filters,
});

/** What is written, over what stood there when that began. */
interface Draft {
  readonly base: Written;
  readonly mine: Written;
}

/** What was left here, with what others made of the rest meanwhile. */
function begun(draft: string, now: Written): { readonly draft: Draft; readonly both: readonly string[] } {
  const { base, mine } = JSON.parse(draft || "{}") as Partial<Draft>;
  if (!base || !mine) return { draft: { base: now, mine: now }, both: [] };
  const { written, both } = merge(base, mine, now);
  return { draft: { base: now, mine: written }, both };
}

function over(before: Draft, now: Written): Draft {
  const { written, both } = merge(before.base, before.mine, now);
  return both.length ? before : { base: now, mine: written };
}

interface SettingsProps {
  readonly of: Board;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

export function Settings({ of, onClose, onSaved }: SettingsProps) {
  const name = `board.${of.id}`;
  const [first] = useState(() => begun(draftOf(name), written(of)));
  const [{ base, mine: held }, setDraft] = useState(first.draft);
  const sending = useRef(new Map<Name, Sending>());
  const group = useRef(random());
  // Others may have set it up since it was looked at; what both changed is said when it is saved.
  useEffect(() => {
    void now(of.id).then((found) => typeof found !== "string" && setDraft((before) => over(before, found)));
  }, [of.id]);
  const keep = (next: Draft): void => {
    setDraft(next);
    keepDraft(name, JSON.stringify(next));
  };
  const set = (some: Partial<Written>): void => keep({ base, mine: { ...held, ...some } });
  const done = (): void => keepDraft(name, "");
  /** Answers why it does not go. */
  const send = async <K extends Name>(op: K, input: In<K>): Promise<string | undefined> => {
    const one = sending.current.get(op) ?? new Sending();
    sending.current.set(op, one);
    const { seq, wrong } = await one.send(op, input);
    if (seq !== undefined) remember(words.saved(held.name), seq, group.current);
    return wrong;
  };
  const save = async (): Promise<string | undefined> => {
    const found = await now(of.id);
    if (typeof found === "string") return found;
    const { written: next, both } = merge(base, held, found);
    keep({ base: found, mine: next });
    if (both.length) return told(both);
    const wrong = await sendAll(of.id, found, next, send);
    if (wrong !== undefined) return wrong;
    done();
    await onSaved();
    onClose();
    return undefined;
  };
  return (
    <Form title={words.settings} save={t.save} wrong={told(first.both)} onSave={save} onCancel={() => (done(), onClose())} onClose={onClose}>
      <label class="field">
        {words.name}
        <input value={held.name} required maxLength={200} autocomplete="off" onInput={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <label class="field">
        {words.query}
        <textarea class="mono" rows={2} value={held.tql} onInput={(event) => set({ tql: event.currentTarget.value })} />
      </label>
      <label class="field">
        {words.swimlanes}
        <select value={held.swimlanes} onChange={(event) => set({ swimlanes: event.currentTarget.value })}>
          <option value="">{words.noSwimlanes}</option>
          {rowFields(held.swimlanes).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
        </select>
      </label>
      <CardFields cards={held.cards} color={held.color} onChange={set} />
      <ColumnFields columns={held.columns} onChange={(columns) => set({ columns })} />
      <FilterFields filters={held.filters} onChange={(filters) => set({ filters })} />
    </Form>
  );
}

const told = (both: readonly string[]): string | undefined => (both.length ? [...both, words.keepMine].join(" ") : undefined);

/** As the server has it by now, or why that is not known. */
async function now(id: number): Promise<Written | string> {
  try {
    return written(await server.boards.get({ id }));
  } catch (error) {
    if (!away(error) && !(error instanceof Problem)) throw error;
    return away(error) ? t.noAnswer : (error as Problem).detail;
  }
}

type Send = <K extends Name>(op: K, input: In<K>) => Promise<string | undefined>;

/** What is otherwise than it stands there. Answers why it does not go. */
async function sendAll(id: number, before: Written, next: Written, send: Send): Promise<string | undefined> {
  const differs = (...names: (keyof Written)[]): boolean => names.some((name) => JSON.stringify(next[name]) !== JSON.stringify(before[name]));
  const { name, tql, swimlanes, color, cards } = next;
  const columns = next.columns.map(({ id, name, lanes, limit, hard }) => ({ ...(id && { id }), name, lanes, limit: limit ? Number(limit) : null, hard }));
  const filters = next.filters.map(({ id, name, tql }) => ({ ...(id && { id }), name, tql }));
  const whole = {
    id, name, tql,
    ...(differs("swimlanes") && { swimlanes: swimlanes || null }),
    ...(differs("color") && { color_by: color || null }),
    ...(differs("cards") && { card_fields: cards }),
  };
  return (
    (differs("name", "tql", "swimlanes", "color", "cards") ? await send("boards.save", whole) : undefined) ??
    (differs("columns") ? await send("boards.columns_set", { id, columns }) : undefined) ??
    (differs("filters") ? await send("boards.quick_filter_save", { id, filters }) : undefined)
  );
}

interface CardFieldsProps {
  readonly cards: readonly string[];
  readonly color: string;
  readonly onChange: (some: Partial<Written>) => void;
}

/** What stands on its cards, and what colours them. */
function CardFields({ cards, color, onChange }: CardFieldsProps) {
  const all = allColumns();
  const titleOf = (name: string): string => columnOf(usualName(name))?.title ?? name;
  const { move, remove } = turned(cards, (next) => onChange({ cards: next }));
  const left = all.filter(({ name }) => !cards.some((one) => usualName(one) === name));
  const colors = all.filter((one) => isColouring(one));
  return (
    <>
      <fieldset class="field">
        <legend>{words.cards}</legend>
        <span class="meta">{words.cardsWhat}</span>
        {cards.map((name, at) => (
          <div class="bar part" role="group" aria-label={titleOf(name)} key={name}>
            <span class="grow cut" dir="auto">{titleOf(name)}</span>
            <Act title={words.sooner(titleOf(name))} disabled={at === 0} onClick={() => move(at, -1)}>↑</Act>
            <Act title={words.behindIt(titleOf(name))} disabled={at === cards.length - 1} onClick={() => move(at, 1)}>↓</Act>
            <Act title={words.takeAway(titleOf(name))} onClick={() => remove(at)}><Icon of="close" /></Act>
          </div>
        ))}
        <select aria-label={words.addCard} value="" onChange={(event) => event.currentTarget.value && onChange({ cards: [...cards, event.currentTarget.value] })}>
          <option value="">{words.addCard}</option>
          {left.map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
        </select>
      </fieldset>
      <label class="field">
        {words.color}
        <select value={usualName(color)} onChange={(event) => onChange({ color: event.currentTarget.value })}>
          <option value="">{words.noColor}</option>
          {colors.map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
          {color && !colors.some(({ name }) => name === usualName(color)) && <option value={usualName(color)}>{titleOf(color)}</option>}
        </select>
      </label>
    </>
  );
}

/** Those of every issue, the org's own with one value, and what the board has already. */
function rowFields(now: string): (readonly [string, string])[] {
  const own = tables.field
    .all()
    .filter(({ on, kind }) => on === "issue" && ["select", "member", "bool", "rating", "team"].includes(kind))
    .sort((one, other) => compare(one.name, other.name))
    .map(({ key, name }) => [`cf.${key}`, name] as const);
  const all = [...Object.entries(ROWS), ...own];
  return now && !all.some(([value]) => value === now) ? [...all, [now, now]] : all;
}

/** What a list becomes by its parts being changed, moved and taken away. */
function turned<T>(all: readonly T[], onChange: (next: readonly T[]) => void) {
  return {
    set: (at: number, some: Partial<T>): void => onChange(all.with(at, { ...all[at]!, ...some })),
    move: (at: number, by: number): void => onChange(all.toSpliced(at, 1).toSpliced(at + by, 0, all[at]!)),
    remove: (at: number): void => onChange(all.toSpliced(at, 1)),
  };
}

function ColumnFields({ columns, onChange }: { columns: readonly Column[]; onChange: (next: readonly Column[]) => void }) {
  const { set, move, remove } = turned(columns, onChange);
  const lanes = lanesInOrder.value;
  const left = lanes.filter(({ key }) => !columns.some((one) => one.lanes.includes(key)));
  /** A lane stands in one column: it leaves the one that it was in. */
  const put = (at: number, key: string, on: boolean): void =>
    onChange(columns.map((one, index) => {
      const others = one.lanes.filter((lane) => lane !== key);
      return { ...one, lanes: index === at && on ? [...others, key] : others };
    }));
  return (
    <fieldset class="field">
      <legend>{words.columns}</legend>
      {columns.map((one, at) => (
        <div class="part" role="group" aria-label={words.column(one.name)} key={one.id ?? at}>
          <div class="bar wraps">
            <input class="grow" aria-label={words.column(one.name)} value={one.name} required maxLength={200} onInput={(event) => set(at, { name: event.currentTarget.value })} />
            <label class="bar meta">
              {words.limit}
              <input class="small-number" type="number" min={1} max={100_000} value={one.limit} onInput={(event) => set(at, { limit: event.currentTarget.value })} />
            </label>
            <label class="bar meta"><input type="checkbox" checked={one.hard} disabled={!one.limit} onChange={(event) => set(at, { hard: event.currentTarget.checked })} /> {words.hard}</label>
            <Act title={words.earlier(one.name)} disabled={at === 0} onClick={() => move(at, -1)}>←</Act>
            <Act title={words.later(one.name)} disabled={at === columns.length - 1} onClick={() => move(at, 1)}>→</Act>
            <Act title={words.takeAway(one.name)} disabled={columns.length === 1} onClick={() => remove(at)}><Icon of="close" /></Act>
          </div>
          <div class="bar wraps">
            {lanes.map(({ key, name }) => (
              <label key={key} class="bar">
                <input type="checkbox" checked={one.lanes.includes(key)} onChange={(event) => put(at, key, event.currentTarget.checked)} />
                <span dir="auto">{name}</span>
              </label>
            ))}
          </div>
        </div>
      ))}
      {left.length > 0 && <p class="meta">{words.lanesLeft(left.map(({ name }) => name).join(", "))}</p>}
      <button type="button" class="chip" onClick={() => onChange([...columns, { id: undefined, name: words.newColumn, lanes: left.slice(0, 1).map(({ key }) => key), limit: "", hard: false }])}>
        <Icon of="plus" /> {words.addColumn}
      </button>
    </fieldset>
  );
}

function FilterFields({ filters, onChange }: { filters: readonly Filter[]; onChange: (next: readonly Filter[]) => void }) {
  const { set, remove } = turned(filters, onChange);
  return (
    <fieldset class="field">
      <legend>{words.filters}</legend>
      {filters.map((one, at) => (
        <div class="bar part" key={one.id ?? at}>
          <input aria-label={words.filterName} value={one.name} required maxLength={200} placeholder={words.filterName} onInput={(event) => set(at, { name: event.currentTarget.value })} />
          <input class="grow mono" aria-label={words.filterQuery} value={one.tql} placeholder="type = bug" onInput={(event) => set(at, { tql: event.currentTarget.value })} />
          <Act title={words.takeAway(one.name)} onClick={() => remove(at)}><Icon of="close" /></Act>
        </div>
      ))}
      <button type="button" class="chip" onClick={() => onChange([...filters, { id: undefined, name: "", tql: "" }])}>
        <Icon of="plus" /> {words.addFilter}
      </button>
    </fieldset>
  );
}

interface ActProps {
  readonly title: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function Act({ title, disabled = false, onClick, children }: ActProps) {
  return <button type="button" class="mini" aria-label={title} title={title} disabled={disabled} onClick={onClick}>{children}</button>;
}
