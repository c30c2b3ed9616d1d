/** Boards that people made: which there are, and what stands on one, in columns, rows and behind quick filters. */
import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { signal, useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "@kbwork/client";
import { FilterBar } from "../filter/bar.tsx";
import { act } from "../issue/act.ts";
import { choose } from "../issues/asked.ts";
import { Begin } from "../issues/begin.tsx";
import { Face, useInSight } from "../issues/board.tsx";
import { atCursor, cursor, put, selected, toggle } from "../issues/cursor.ts";
import { nameOf } from "../issues/marks.tsx";
import { words as typed } from "../issues/query.ts";
import { Bulk } from "../screens/parts.tsx";
import type { Issue } from "../store/kinds.ts";
import { may, me, offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { type Command, offer } from "../ui/commands.ts";
import { aside } from "../ui/direction.ts";
import { Icon } from "../ui/icons.tsx";
import { Later, Part } from "../ui/later.tsx";
import { go, peek } from "../ui/router.ts";
import { compare, number, PRIORITIES, t } from "../ui/texts.ts";
import { spoken } from "../ui/spoken.ts";
import { TopBar } from "../ui/topbar.tsx";
import { Dots } from "../ui/turn.tsx";
import { WordFilter } from "../ui/word_filter.tsx";
import { board, type BoardRow, boards, drop, enter, fetchBoard, fetchBoards, fetchMore, filters, follow, mayKeep, MOST_BY_ROW, refusals, rows, stacks, type Stack, wrong } from "./known.ts";
import style from "./style.css";
import { words } from "./texts.ts";

export { style };

const NewBoard = new Later(async () => (await import("./settings.tsx")).NewBoard);
const Settings = new Later(async () => (await import("./settings.tsx")).Settings);
/** Of boards that chose what their cards show. */
const ChosenFace = new Later(async () => (await import("./card.tsx")).ChosenFace);
const Values = new Later(async () => (await import("./card.tsx")).Values);
const hasFaces = signal(false);

interface Place {
  readonly column: string;
  /** The issue before which it goes; none: at the end. */
  readonly before: number | undefined;
  /** Key of the row; undefined: the board has none. */
  readonly row: string | undefined;
}

const dragged = signal<number | undefined>(undefined);
const over = signal<Place | undefined>(undefined);
/** Why columns refuse what is dragged, as far as that is known. */
const shut = signal<ReadonlyMap<string, string>>(new Map());

export function Screen({ path: [id = ""] }: { path: readonly string[] }) {
  return /^[1-9]\d{0,14}$/.test(id) ? <One key={id} id={Number(id)} /> : <All asked={id} />;
}

function useTitle(title: string): void {
  useEffect(() => queueMicrotask(() => (document.title = `${title} · ${me.value?.org.name ?? t.app}`)), [title]);
}

function All({ asked }: { asked: string }) {
  const [makes, setMakes] = useState(false);
  useEffect(() => void fetchBoards(), []);
  useTitle(t.rooms.boards);
  const found = boards.value;
  const projects = tables.project.all().filter(({ archived_at: archived }) => archived === null).sort((one, other) => compare(one.name, other.name));
  const make = may("boards:write") && (
    <button type="button" class="primary" onClick={() => setMakes(true)}>{words.make}</button>
  );
  return (
    <>
      <TopBar title={t.rooms.boards}><span class="grow" />{found?.length ? make : null}</TopBar>
      {asked && <p class="empty"><strong>{words.noBoard}</strong></p>}
      {!found && <p class="meta pad late-word">{wrong.value ?? t.loading}</p>}
      {found?.length === 0 && <div class="no-boards"><p><strong>{words.none}</strong></p><p class="meta">{words.noneWhat}</p>{make}</div>}
      <div class="boards">
        <ul>
          {found?.toSorted((one, other) => compare(one.name, other.name)).map(({ id, name, project, tql }) => (
            <li key={id}>
              <a class="bar" data-in href={`/boards/${id}`}>
                <Icon of="board" />
                <span class="cut" dir="auto">{name}</span>
                {project && <span class="meta cut">{tables.project.watch(project)?.name ?? project}</span>}
                <code class="meta cut">{tql}</code>
              </a>
            </li>
          ))}
        </ul>
        {projects.length > 0 && <h2>{words.ofProjects}</h2>}
        <ul>
          {projects.map(({ key, name }) => (
            <li key={key}>
              <a class="bar" data-in href={`/projects/${key}/board`}>
                <Icon of="project" />
                <span class="cut" dir="auto">{name}</span>
                <span class="meta">{key}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      {makes && <Part of={NewBoard} props={{ onClose: () => setMakes(false) }} above />}
    </>
  );
}

function One({ id }: { id: number }) {
  const [sets, setSets] = useState(false);
  useLayoutEffect(() => enter(id), [id]);
  useLayoutEffect(follow, []); // an effect ends behind the frame of the next board
  useEffect(watchDrags, []);
  useLayoutEffect(() => offer(COMMANDS), []);
  const found = board.value;
  const chooses = found !== undefined && choosesFaces(found);
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    if (chooses && !hasFaces.peek()) void Promise.all([ChosenFace.fetch(), Values.fetch()]).then(() => (hasFaces.value = true), () => undefined); // until there is a network, cards are the usual ones
  }, [chooses, isAway]);
  useTitle(found?.name ?? t.rooms.boards);
  if (!found) {
    return (
      <>
        <TopBar title={t.rooms.boards} />
        {wrong.value ? <div class="empty"><strong>{wrong.value}</strong><p class="below"><a data-in href="/boards">{words.all}</a></p></div> : <p class="meta pad late-word">{t.loading}</p>}
      </>
    );
  }
  return (
    <>
      <TopBar title={found.name}>
        <div class="switch quick" role="group" aria-label={words.filters}>
          {found.quick_filters.map(({ id, name, tql }) => (
            <button key={id} type="button" class="plain" title={tql} aria-pressed={filters.value.includes(id)} onClick={() => turn(id)}><span class="cut" dir="auto">{name}</span></button>
          ))}
        </div>
        <span class="grow" />
        <WordFilter words={typed} list=".board" />
        <Dots title={words.more} onClick={(at) => choose({ label: words.more, at, options: optionsFor(found, () => setSets(true)) })} />
      </TopBar>
      <FilterBar />
      {[wrong.value, ...found.notices].filter(Boolean).map((notice) => <p class="offline" role="status" key={notice}>{notice}</p>)}
      {rows.value.length ? <Rows /> : <Columns row={undefined} />}
      <p class="hidden" role="status">{spoken.value}</p>
      {selected.value.size > 0 && <Part of={Bulk} props={{}} />}
      {sets && <Part of={Settings} props={{ of: found, onClose: () => setSets(false), onSaved: () => fetchBoard(id) }} above />}
      {chooses && hasFaces.value && Values.found && <Values.found />}
    </>
  );
}

const choosesFaces = ({ card_fields, color_by }: Board): boolean => card_fields.length > 0 || color_by !== null;

function turn(id: string): void {
  const on = filters.peek();
  filters.value = on.includes(id) ? on.filter((one) => one !== id) : [...on, id];
}

function optionsFor(found: Board, settings: () => void) {
  const { id, name, project } = found;
  const copy = (): void => void act(words.copied(name), "boards.copy", { id, name: words.copyOf(name), project }).then((made) => made && go(`/boards/${made.id}`));
  const remove = (): void => void act(words.deleted(name), "boards.delete", { id }).then((left) => left && go("/boards"));
  const keeps = mayKeep(found) && may("boards:write");
  return [
    ...(keeps ? [{ title: words.settings, run: settings }] : []),
    ...(may("boards:write") ? [{ title: words.copy, run: copy }] : []),
    ...(keeps ? [{ title: words.remove, run: remove }] : []),
    { title: words.all, run: () => go("/boards") },
  ];
}

/** What is dragged, until it is dropped. Answers what ends it. */
function watchDrags(): () => void {
  return monitorForElements({
    canMonitor: ({ source }) => "card" in source.data,
    onDragStart: ({ source }) => {
      const id = source.data["card"] as number;
      const issue = tables.issue.get(id);
      dragged.value = id;
      shut.value = new Map();
      if (issue) void refusals(issue).then((found) => dragged.peek() === id && (shut.value = found), () => undefined); // the drop is refused, then
    },
    onDropTargetChange: ({ location }) => {
      over.value = location.current.dropTargets[0]?.data["place"] as Place | undefined;
    },
    onDrop: () => {
      const issue = tables.issue.get(dragged.value ?? -1);
      const to = over.value;
      const isShut = to !== undefined && shut.value.has(to.column);
      dragged.value = over.value = undefined;
      shut.value = new Map();
      if (issue && to && !isShut) drop(issue, to.column, to.before, rows.peek().find(({ key }) => key === to.row));
    },
  });
}

function Rows() {
  return (
    <div class="board-rows">
      {rows.value.map((row) => (
        <section key={row.key} aria-label={nameOfRow(row)}>
          <h2 class="bar"><span dir="auto">{nameOfRow(row)}</span> <span class="meta">{number(row.ids.size)}</span></h2>
          <Columns row={row} />
        </section>
      ))}
    </div>
  );
}

function nameOfRow({ value }: BoardRow): string {
  if (value === null || value === "") return t.none;
  const text = String(value);
  if (board.value?.swimlanes === "priority" && text in PRIORITIES) return PRIORITIES[text as Issue["priority"]];
  return tables.member.watch(text) ? (nameOf(text) ?? text) : text;
}

function Columns({ row }: { row: BoardRow | undefined }) {
  return (
    <div class="board" role="group" tabIndex={-1} aria-label={row ? nameOfRow(row) : board.value?.name}>
      {stacks.value.map((stack) => <Column key={stack.column.id} stack={stack} row={row} />)}
    </div>
  );
}

function Column({ stack: { column, issues, count, more }, row }: { stack: Stack; row: BoardRow | undefined }) {
  const box = useRef<HTMLElement>(null);
  const { id, name, limit, hard } = column;
  const why = useComputed(() => shut.value.get(id));
  useEffect(
    () =>
      dropTargetForElements({
        element: box.current!,
        getData: () => ({ place: { column: id, before: undefined, row: row?.key } satisfies Place }),
        canDrop: ({ source }) => "card" in source.data && !shut.peek().has(id),
      }),
    [id, row?.key],
  );
  const here = row ? issues.filter((issue) => row.ids.has(issue.id)) : issues;
  const isOver = limit !== null && count > limit;
  const Heading = row ? "h3" : "h2";
  return (
    <section class={`column${why.value ? " shut" : ""}`} ref={box} aria-label={name}>
      <Heading class="bar">
        <span class="cut" dir="auto">{name}</span>
        <span class={isOver ? "late" : "meta"} title={hard && limit !== null && count >= limit ? words.full(name) : undefined}>
          {row && `${number(here.length)}${limit === null ? "" : " · "}`}
          {limit === null ? !row && number(count) : words.of(count, limit)}
        </span>
        {why.value && <span class="meta why" role="status">{why.value}</span>}
      </Heading>
      {!row && <Begin column={name} lanes={column.lanes} project={board.value?.project ?? null} />}
      <ol>
        {here.map((issue) => <Card key={issue.id} id={issue.id} column={id} row={row?.key} />)}
        <Mark column={id} before={undefined} row={row?.key} />
      </ol>
      {more && (row && issues.length >= MOST_BY_ROW ? <p class="meta">{words.narrow}</p> : <button type="button" class="plain" onClick={() => void fetchMore(id)}>{words.showMore(count)}</button>)}
    </section>
  );
}

/** Where it would go. */
function Mark(place: Place) {
  const here = useComputed(() => over.value?.column === place.column && over.value.before === place.before && over.value.row === place.row);
  return here.value ? <li class="drop" aria-hidden="true" /> : null;
}

function Card({ id, column, row }: { id: number; column: string; row: string | undefined }) {
  const box = useRef<HTMLLIElement>(null);
  const on = useComputed(() => cursor.value === id);
  const picked = useComputed(() => selected.value.has(id));
  const moves = useComputed(() => dragged.value === id);
  const issue = tables.issue.watch(id);
  const Shown = hasFaces.value && board.value && choosesFaces(board.value) ? (ChosenFace.found ?? Face) : Face;
  useEffect(() => {
    const element = box.current!;
    const place: Place = { column, before: id, row };
    const stops = [
      draggable({ element, getInitialData: () => ({ card: id }) }),
      dropTargetForElements({ element, getData: () => ({ place }), canDrop: ({ source }) => "card" in source.data && source.data["card"] !== id && !shut.peek().has(column) }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [id, column, row]);
  useInSight(box, on, issue);
  return (
    <>
      <Mark column={column} before={id} row={row} />
      <li
        ref={box}
        data-card={id}
        class={`card${on.value ? " on" : ""}${picked.value ? " picked" : ""}${moves.value ? " moves" : ""}`}
        onFocusIn={() => cursor.peek() !== id && put(id)}
        onClick={(event) => {
          put(id);
          if ((event.target as Element).closest("a, button")) return;
          if (event.shiftKey || event.metaKey || event.ctrlKey) return toggle(id);
          if (issue) peek(issue.key);
        }}
        onDblClick={() => issue && go(`/issues/${issue.key}`)}
      >
        {issue && <Shown issue={issue} />}
      </li>
    </>
  );
}

/** Where the cursor is: its column, and its place there. */
function placeOf(): { readonly issue: Issue; readonly column: number; readonly row: number } | undefined {
  const issue = tables.issue.get(atCursor.value ?? -1);
  const column = stacks.value.findIndex(({ issues }) => issues.some(({ id }) => id === issue?.id));
  return issue && column >= 0 ? { issue, column, row: stacks.value[column]!.issues.findIndex(({ id }) => id === issue.id) } : undefined;
}

function walk(across: number, down: number): void {
  const place = placeOf();
  const all = stacks.value;
  if (!place) {
    const first = all.find(({ issues }) => issues.length)?.issues[0];
    return first && put(first.id);
  }
  const below = all[place.column]!.issues[place.row + down];
  if (down) return below && put(below.id);
  for (let at = place.column + across; all[at]; at += across) {
    const { issues } = all[at]!;
    if (issues.length) return put(issues[Math.min(place.row, issues.length - 1)]!.id);
  }
}

/** Into the column beside; the server says whether it may. */
function shift(across: number): void {
  const place = placeOf();
  const to = place && stacks.value[place.column + across];
  if (place && to) drop(place.issue, to.column.id, undefined);
}

/** Before or behind the next one in its column. */
function lift(down: number): void {
  const place = placeOf();
  if (!place) return;
  const { column, issues } = stacks.value[place.column]!;
  if (!issues[place.row + down]) return;
  drop(place.issue, column.id, issues[down < 0 ? place.row - 1 : place.row + 2]?.id);
}

const has = (): boolean => atCursor.value !== undefined;
const group = t.board;

const COMMANDS: readonly Command[] = [
  { id: "board:down", title: t.commands.nextCard, group, keys: ["j", "ArrowDown"], run: () => walk(0, 1) },
  { id: "board:up", title: t.commands.previousCard, group, keys: ["k", "ArrowUp"], run: () => walk(0, -1) },
  { id: "board:left", title: t.commands.left, group, keys: ["ArrowLeft"], run: () => walk(aside(-1), 0) },
  { id: "board:right", title: t.commands.right, group, keys: ["ArrowRight"], run: () => walk(aside(1), 0) },
  { id: "board:before", title: words.columnBefore, group, keys: ["Shift+ArrowLeft"], when: has, run: () => shift(aside(-1)) },
  { id: "board:behind", title: words.columnBehind, group, keys: ["Shift+ArrowRight"], when: has, run: () => shift(aside(1)) },
  { id: "board:higher", title: words.higher, group, keys: ["Shift+ArrowUp"], when: has, run: () => lift(-1) },
  { id: "board:lower", title: words.lower, group, keys: ["Shift+ArrowDown"], when: has, run: () => lift(1) },
];
