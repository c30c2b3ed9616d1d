/** The calendar: issues on the days when they are due and when they start, those without a day beside it. */
import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { computed, signal, useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { atCursor, cursor, order, put, selected, toggle } from "../issues/cursor.ts";
import { isDone, partOf } from "../issues/lanes.ts";
import { DoneButton, Empty } from "../issues/list.tsx";
import { TroubleLine } from "../issues/trouble.tsx";
import { after } from "../sprints/days.ts";
import { troubles, unsent } from "../store/changes.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { tables } from "../store/tables.ts";
import { type Command, offer } from "../ui/commands.ts";
import { aside } from "../ui/direction.ts";
import { Icon, LaneIcon } from "../ui/icons.tsx";
import { go, peek } from "../ui/router.ts";
import { spoken } from "../ui/spoken.ts";
import { dayFromNow, number, t } from "../ui/texts.ts";
import { dayLater, dayOf, setDates, shift } from "./dates.ts";
import { daysFrom, isWeekend, monthAfter, monthOf, named, spanOf, weekOf, weeksOf } from "./days.ts";
import { words } from "./texts.ts";

type Span = "month" | "week";
/** An issue has a place where it starts, and one where it is due. */
type What = "start" | "due";

interface Entry {
  readonly id: number;
  readonly what: What;
}

interface Dragged extends Entry {
  /** What was known by whoever begins it. */
  readonly seq: number;
}

/** So many of a day are drawn at most. */
const DRAWN = 50;
const ENTRY_PX = 28;
/** What else a day has: its number, and how many more there are. */
const REST_PX = 56;
/** So many fit on a day where days stand one below the other, and those without any are left out. */
const MOST_IN_LIST = 6;
const WEEK = 7;

const span = signal<Span>("month");
/** A day of what is shown; undefined: today. */
const wanted = signal<string | undefined>(undefined);
const around = computed(() => wanted.value ?? dayFromNow(0));
/** The day of which all is shown, where it has many. */
const opened = signal<string | undefined>(undefined);
const dragged = signal<Dragged | undefined>(undefined);
/** So many fit on a day. */
const most = signal(3);
/** Where it would go; empty: where those without a day are. */
const over = signal<string | undefined>(undefined);

const weeks = computed(() => (span.value === "month" ? weeksOf(around.value) : [daysFrom(weekOf(around.value), WEEK)]));

/** What stands on each day, and without one, in the order of the list. */
const entries = computed(() => {
  void tables.issue.moved.value;
  const byDay = new Map<string, Entry[]>();
  const put = (day: string, entry: Entry): void => void (byDay.get(day)?.push(entry) ?? byDay.set(day, [entry]));
  for (const id of order.value) {
    const issue = tables.issue.get(id);
    if (!issue) continue;
    const { start_date, due_date } = issue;
    put(due_date ?? (start_date ? NOWHERE : ""), { id, what: "due" });
    if (start_date && start_date !== due_date) put(start_date, { id, what: "start" });
  }
  byDay.delete(NOWHERE);
  return byDay;
});

/** Of what has no day when it is due, and one when it starts. */
const NOWHERE = "-";

export function Calendar() {
  useEffect(follow, []);
  useLayoutEffect(() => offer(COMMANDS), []);
  return (
    <div class="calendar laid" tabIndex={-1}>
      <Head />
      {order.value.length ? <Days /> : <Empty />}
      <p class="hidden" role="status">{spoken.value}</p>
    </div>
  );
}

function Days() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => {
      const high = box.current!.clientHeight;
      const isList = getComputedStyle(box.current!.querySelector(".weekdays")!).display === "none";
      most.value = isList ? MOST_IN_LIST : Math.max(1, Math.floor((high / weeks.peek().length - REST_PX) / ENTRY_PX));
    });
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  const undated = entries.value.get("") ?? [];
  const shown = weeks.value;
  const month = span.value === "month" ? monthOf(around.value) : undefined;
  return (
    <>
      {entries.value.size <= 1 && undated.length > 0 && <p class="meta hint">{words.noDates}</p>}
      <div class="days" role="table" aria-label={title()} ref={box}>
        <div class="week weekdays" role="row">
          {shown[0]!.map((day) => <span key={day} role="columnheader" class="meta">{named(day, "weekday")}</span>)}
        </div>
        {shown.map((days) => (
          <div class="week" role="row" key={days[0]}>
            {days.map((day) => <Day key={day} day={day} within={!month || monthOf(day) === month} />)}
          </div>
        ))}
      </div>
      <Undated entries={undated} />
    </>
  );
}

function title(): string {
  const [week] = weeks.value;
  return span.value === "month" ? named(monthOf(around.value), "month") : spanOf(week![0]!, week![WEEK - 1]!);
}

function Head() {
  return (
    <div class="bar steer">
      <button type="button" onClick={toToday}>{words.today}</button>
      <button type="button" class="mini" aria-label={words.before[span.value]} title={words.before[span.value]} onClick={() => step(-1)}>
        <span class="turned-back"><Icon of="next" /></span>
      </button>
      <button type="button" class="mini" aria-label={words.behind[span.value]} title={words.behind[span.value]} onClick={() => step(1)}>
        <span class="turned-on"><Icon of="next" /></span>
      </button>
      <h2 aria-live="polite">{title()}</h2>
      <span class="grow" />
      <DoneButton />
      <div class="switch" role="group" aria-label={t.calendar}>
        {(["month", "week"] as const).map((one) => (
          <button key={one} type="button" class="plain" aria-pressed={span.value === one} onClick={() => (span.value = one)}>{words[one]}</button>
        ))}
      </div>
    </div>
  );
}

function toToday(): void {
  wanted.value = undefined;
}

function step(by: number): void {
  wanted.value = span.value === "month" ? monthAfter(around.value, by) : after(around.value, by * WEEK);
}

interface DayProps {
  readonly day: string;
  /** Whether it is of the month that is shown. */
  readonly within: boolean;
}

/** So many of a day are drawn. */
function drawn(day: string, count: number): number {
  if (span.value === "week" || opened.value === day) return DRAWN;
  // One more fits where the words would stand that say so.
  return count <= most.value + 1 ? count : most.value;
}

function Day({ day, within }: DayProps) {
  const box = useRef<HTMLDivElement>(null);
  useDrop(box, day);
  const all = entries.value.get(day) ?? [];
  const isOpen = opened.value === day;
  const count = drawn(day, all.length);
  const left = all.length - count;
  const isToday = day === dayFromNow(0);
  const isOver = useComputed(() => over.value === day);
  const looks = ["day", !within && "beside", isWeekend(day) && "weekend", isToday && "today", isOver.value && "over", !all.length && "free", isOpen && "open"];
  return (
    <div class={looks.filter(Boolean).join(" ")} role="cell" ref={box}>
      <p class="number" aria-current={isToday ? "date" : undefined}>
        <span class="hidden">{named(day, "whole")}</span>
        <span class="meta" aria-hidden="true">{named(day, "number")}</span>
        <span class="meta of-day" aria-hidden="true">{named(day, "weekday")}</span>
      </p>
      {all.length > 0 && <ul>{all.slice(0, count).map((entry) => <Chip key={`${entry.what}-${entry.id}`} {...entry} />)}</ul>}
      {left > 0 && count < DRAWN && (
        <button type="button" class="plain" aria-expanded="false" onClick={() => (opened.value = day)}>{words.moreOfDay(left)}</button>
      )}
      {left > 0 && count === DRAWN && <p class="meta">{words.listHasThem(left)}</p>}
      {isOpen && <button type="button" class="plain" aria-expanded="true" onClick={() => (opened.value = undefined)}>{words.fewerOfDay}</button>}
    </div>
  );
}

function Undated({ entries: all }: { entries: readonly Entry[] }) {
  const box = useRef<HTMLElement>(null);
  useDrop(box, "");
  const isOver = useComputed(() => over.value === "");
  return (
    <section class={`undated${isOver.value ? " over" : ""}`} aria-label={words.undated} ref={box}>
      <h2 class="bar">{words.undated} <span class="meta">{number(all.length)}</span></h2>
      {all.length ? <ul>{all.slice(0, DRAWN).map((entry) => <Chip key={entry.id} {...entry} />)}</ul> : <p class="meta">{words.undatedWhat}</p>}
      {all.length > DRAWN && <p class="meta">{words.listHasThem(all.length - DRAWN)}</p>}
    </section>
  );
}

/** Whether it is an issue of this calendar that is dragged. */
function entryIn(data: Record<string | symbol, unknown>): Dragged | undefined {
  return "what" in data ? (data as unknown as Dragged) : undefined;
}

function useDrop(box: { readonly current: HTMLElement | null }, day: string): void {
  useEffect(
    () => dropTargetForElements({ element: box.current!, getData: () => ({ day }), canDrop: ({ source }) => entryIn(source.data) !== undefined }),
    [day],
  );
}

/** What is dragged, until it is dropped on a day. Answers what ends it. */
function follow(): () => void {
  return monitorForElements({
    canMonitor: ({ source }) => entryIn(source.data) !== undefined,
    onDragStart: ({ source }) => {
      dragged.value = entryIn(source.data);
    },
    onDropTargetChange: ({ location }) => {
      over.value = location.current.dropTargets[0]?.data["day"] as string | undefined;
    },
    onDrop: () => {
      const [from, to] = [dragged.value, over.value];
      const issue = tables.issue.get(from?.id ?? -1);
      dragged.value = over.value = undefined;
      if (issue && from && to !== undefined) setDates(issue, { [from.what]: to }, { seq: from.seq });
    },
  });
}

function Chip({ id, what }: Entry) {
  const box = useRef<HTMLLIElement>(null);
  const on = useComputed(() => cursor.value === id);
  const picked = useComputed(() => selected.value.has(id));
  const moves = useComputed(() => dragged.value?.id === id && dragged.value.what === what);
  const waits = useComputed(() => unsent.value.has(id));
  const trouble = useComputed(() => troubles.value.get(id)?.[0]);
  const issue = tables.issue.watch(id);
  useEffect(() => draggable({ element: box.current!, getInitialData: () => ({ id, what, seq: place.seq }) }), [id, what]);
  const isPlace = issue !== undefined && (what === "due" || !issue.due_date);
  useEffect(() => {
    if (!on.value || !isPlace) return;
    box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    box.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [on.value, isPlace]);
  if (!issue) return <li ref={box} />;
  const lane = tables.lane.watch(issue.lane);
  const late = what === "due" && issue.due_date !== null && issue.due_date < dayFromNow(0) && !isDone(issue);
  const looks = ["entry card", what, on.value && "on", picked.value && "picked", moves.value && "moves", late && "overdue"];
  return (
    <li
      ref={box}
      class={looks.filter(Boolean).join(" ")}
      id={isPlace ? `issue-${id}` : undefined}
      title={`${issue.key} ${issue.title}`}
      onFocusIn={() => cursor.peek() !== id && put(id)}
      onClick={(event) => {
        put(id);
        if ((event.target as Element).closest("a, button")) return;
        if (event.shiftKey || event.metaKey || event.ctrlKey) return toggle(id);
        peek(issue.key);
      }}
      onDblClick={() => go(`/issues/${issue.key}`)}
    >
      <LaneIcon lane={lane} part={partOf(lane)} />
      <span class="key meta">{issue.key}</span>
      <span class="title cut" dir="auto">
        {what === "start" && <span class="meta">{words.starts} </span>}
        {late && <span class="late"><span aria-hidden="true">! </span><span class="hidden">{t.conditions.overdue}: </span></span>}
        <a data-in href={`/issues/${issue.key}`}>{issue.title}</a>
      </span>
      {waits.value && <span class="waits" title={t.waits} />}
      {trouble.value && <TroubleLine key={trouble.value.change.id} trouble={trouble.value} />}
    </li>
  );
}

/** The days that are shown and have something, those without a day behind them: each issue once. */
function stacks(): { readonly day: string; readonly ids: number[] }[] {
  return [...weeks.value.flat(), ""].flatMap((day) => {
    const here = (entries.value.get(day) ?? []).slice(0, DRAWN).map(({ id }) => id);
    const ids = here.filter((id) => (dayOf(tables.issue.get(id)!) ?? "") === day);
    return ids.length ? [{ day, ids }] : [];
  });
}

/** Move the cursor among the days, and within one and on to the next. */
function walk(across: number, down: number): void {
  const all = stacks();
  const day = all.findIndex(({ ids }) => ids.includes(cursor.value ?? -1));
  const to = (id: number | undefined): void => {
    if (id === undefined) return;
    const of = dayOf(tables.issue.get(id)!);
    const there = entries.value.get(of ?? "") ?? [];
    if (of && there.findIndex((one) => one.id === id) >= drawn(of, there.length)) opened.value = of;
    put(id);
  };
  if (day < 0) return to(all[0]?.ids[0]);
  const { ids } = all[day]!;
  const row = ids.indexOf(cursor.value!);
  if (across) return to(all[day + across]?.ids[Math.min(row, all[day + across]!.ids.length - 1)]);
  to(ids[row + down] ?? (down > 0 ? all[day + 1]?.ids[0] : all[day - 1]?.ids.at(-1)));
}

function later(days: number): void {
  const day = shift((issue: Issue) => dayLater(issue, days));
  if (day && !weeks.value.flat().includes(day)) wanted.value = day;
}

const has = (): boolean => atCursor.value !== undefined;
const group = t.calendar;

const COMMANDS: readonly Command[] = [
  { id: "calendar-down", title: t.commands.next, group, keys: ["j", "ArrowDown"], run: () => walk(0, 1) },
  { id: "calendar-up", title: t.commands.previous, group, keys: ["k", "ArrowUp"], run: () => walk(0, -1) },
  { id: "calendar-left", title: words.dayBefore, group, keys: ["ArrowLeft"], run: () => walk(aside(-1), 0) },
  { id: "calendar-right", title: words.dayBehind, group, keys: ["ArrowRight"], run: () => walk(aside(1), 0) },
  { id: "day-earlier", title: words.dayEarlier, group, keys: ["Shift+ArrowLeft"], when: has, run: () => later(aside(-1)) },
  { id: "day-later", title: words.dayLater, group, keys: ["Shift+ArrowRight"], when: has, run: () => later(aside(1)) },
  { id: "week-earlier", title: words.weekEarlier, group, keys: ["Shift+ArrowUp"], when: has, run: () => later(-WEEK) },
  { id: "week-later", title: words.weekLater, group, keys: ["Shift+ArrowDown"], when: has, run: () => later(WEEK) },
  { id: "calendar-today", title: words.today, group, keys: ["t"], run: toToday },
  { id: "calendar-before", title: words.previous, group, keys: ["PageUp"], run: () => step(-1) },
  { id: "calendar-behind", title: words.next, group, keys: ["PageDown"], run: () => step(1) },
  { id: "calendar-week", title: words.week, group, keys: ["2"], run: () => (span.value = "week") },
  { id: "calendar-month", title: words.month, group, keys: ["3"], run: () => (span.value = "month") },
];
