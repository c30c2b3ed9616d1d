/** The timeline: the rows of the list, each with a bar from where its issue starts to where it is due. */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { RefObject, TargetedPointerEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { activeRow, atCursor, cursor } from "../issues/cursor.ts";
import { isDone, partOf } from "../issues/lanes.ts";
import { Came, DoneButton, EmptyRow, HeadLine } from "../issues/list.tsx";
import { rows } from "../issues/query.ts";
import { useRow } from "../issues/row.ts";
import { standsAt, tall, useSeen } from "../issues/seen.ts";
import { TroubleLine } from "../issues/trouble.tsx";
import { after, daysBetween } from "../sprints/days.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { tables } from "../store/tables.ts";
import { type Command, offer } from "../ui/commands.ts";
import { LaneIcon } from "../ui/icons.tsx";
import { spoken } from "../ui/spoken.ts";
import { day, dayFromNow, t } from "../ui/texts.ts";
import { type Bar, barOf, DAY_PX, drawn, earlier, later, range, widthOf, xOf, ZOOMS, zoom } from "./bars.ts";
import { barNow, isEarly, tiesOf, useBlocking } from "./blocking.ts";
import { bothLater, type Dates, dayOf, setDates, shift } from "./dates.ts";
import { monthAfter, monthOf, named, weekOf } from "./days.ts";
import { words } from "./texts.ts";
import { Ties } from "./ties.tsx";

/** Its days stand above the rows, as high as so many of them at most. */
const HEADS = 2;
const WEEK = 7;
/** Lines are drawn anew when one went so far, and so far beyond what is seen. */
const STEP_PX = 200;
const BEYOND_PX = 400;
/** In less its days do not fit, and stand behind it. */
const SHORT_PX = 120;
/** Nobody drags by less. */
const LEAST_PX = 4;

export function Timeline() {
  const box = useRef<HTMLDivElement>(null);
  const { span, onScroll, bring } = useSeen(box, HEADS);
  const left = useSignal(0);
  const { first, seen } = span.value;
  const seenIds = useComputed(() => span.value.seen.flatMap((row) => ("issue" in row ? [row.issue] : [])));
  useBlocking(seenIds);
  useLayoutEffect(() => offer(commandsOf(() => box.current!)), []);
  // What is seen stays where it is when there are days before it, or they are wider.
  const middle = useRef<string>(undefined);
  const { from, to, any } = range.value;
  useLayoutEffect(() => show(box.current!, middle.current ?? dayFromNow(0)), [from, zoom.value]);
  const wide = daysBetween(from, to) * DAY_PX[zoom.value];
  return (
    <>
      <div class="bar steer">
        <button type="button" onClick={() => show(box.current!, dayFromNow(0))}>{words.today}</button>
        {!any && rows.value.length > 0 && <span class="meta hint">{words.noBars}</span>}
        <span class="grow" />
        <DoneButton />
        <div class="switch" role="group" aria-label={words.zoom}>
          {ZOOMS.map((one) => (
            <button key={one} type="button" class="plain" aria-pressed={zoom.value === one} onClick={() => (zoom.value = one)}>{words.zooms[one]}</button>
          ))}
        </div>
      </div>
      <Came onBring={bring} />
      <div
        class="list laid timeline"
        ref={box}
        role="grid"
        tabIndex={0}
        style={{ "--wide": `${wide}px`, "--day": `${DAY_PX[zoom.value]}px` }}
        aria-label={t.issues}
        aria-rowcount={rows.value.length}
        aria-multiselectable="true"
        aria-activedescendant={activeRow}
        onScroll={(event) => {
          onScroll(event);
          left.value = Math.floor(Math.abs(event.currentTarget.scrollLeft) / STEP_PX) * STEP_PX;
          middle.current = middleOf(event.currentTarget);
        }}
      >
        <div class="ticks" role="presentation"><Ticks left={left} box={box} /></div>
        <div class="whole" role="presentation" style={{ height: tall() }}>
          <div class="track" role="presentation" aria-hidden="true"><Lines left={left} box={box} /><Ties first={first} ids={seenIds} /></div>
          {seen.map((row, at) =>
            "issue" in row ? (
              <IssueRow key={row.issue} id={row.issue} index={first + at} />
            ) : (
              <HeadLine key={row.path} row={row} index={first + at} at={standsAt(first + at)} />
            ),
          )}
        </div>
        {!rows.value.length && <EmptyRow />}
      </div>
      <p class="hidden" role="status">{spoken.value}</p>
    </>
  );
}

const isTurned = (element: Element): boolean => getComputedStyle(element).direction === "rtl";

/** How wide the part is that stays at its place, with the titles. */
function namesPx(box: Element): number {
  return box.querySelector<HTMLElement>(".corner")?.offsetWidth ?? 0;
}

function middleOf(box: HTMLElement): string {
  const seen = (box.clientWidth - namesPx(box)) / 3;
  return after(range.peek().from, Math.round((Math.abs(box.scrollLeft) + seen) / DAY_PX[zoom.peek()]));
}

/** Bring a day into sight, a third of the way in. */
function show(box: HTMLElement, date: string): void {
  const at = Math.max(0, daysBetween(range.peek().from, date) * DAY_PX[zoom.peek()] - (box.clientWidth - namesPx(box)) / 3);
  box.scrollLeft = isTurned(box) ? -at : at;
}

interface Tick {
  readonly date: string;
  readonly text: string;
}

/** The months, or years, that are seen, and the days, weeks or months that they have. */
function ticksOf(left: number, width: number): { readonly large: Tick[]; readonly small: Tick[] } {
  const { from, to } = range.value;
  const px = DAY_PX[zoom.value];
  const begin = later(after(from, Math.floor((left - BEYOND_PX) / px)), from);
  const end = earlier(after(from, Math.ceil((left + width + BEYOND_PX) / px)), to);
  const months: string[] = [];
  for (let date = monthOf(begin); date < end; date = monthAfter(date, 1)) months.push(date);
  if (zoom.value === "months") {
    const years = months.filter((date, at) => at === 0 || date.slice(5, 7) === "01");
    return { large: years.map((date) => ({ date, text: named(date, "year") })), small: months.map((date) => ({ date, text: named(date, "shortMonth") })) };
  }
  const step = zoom.value === "weeks" ? WEEK : 1;
  const small: Tick[] = [];
  for (let date = step === WEEK ? weekOf(begin) : begin; date < end; date = after(date, step)) small.push({ date, text: named(date, "number") });
  return { large: months.map((date) => ({ date, text: named(date, "month") })), small };
}

interface SeenProps {
  readonly left: ReadonlySignal<number>;
  readonly box: RefObject<HTMLElement | null>;
}

function Ticks({ left, box }: SeenProps) {
  const { large, small } = ticksOf(left.value, box.current?.clientWidth ?? innerWidth);
  return (
    <>
      <span class="corner meta">{t.title}</span>
      <span class="scale" aria-hidden="true">
        {large.map(({ date, text }, place) => (
          <span key={`large ${date}`} class="large" style={{ ...at(date), width: `${xOf(large[place + 1]?.date ?? range.value.to) - xOf(date)}px` }}><span>{text}</span></span>
        ))}
        {small.map(({ date, text }) => <span key={date} class="small meta" style={at(date)}>{text}</span>)}
      </span>
    </>
  );
}

function Lines({ left, box }: SeenProps) {
  const { small } = ticksOf(left.value, box.current?.clientWidth ?? innerWidth);
  const today = dayFromNow(0);
  return (
    <>
      {small.map(({ date }) => <span key={date} class="tick" style={at(date)} />)}
      <span class="now" style={at(today)} title={words.today} />
    </>
  );
}

function at(date: string): { "inset-inline-start": string } {
  return { "inset-inline-start": `${xOf(date)}px` };
}

function IssueRow({ id, index }: { id: number; index: number }) {
  const { waits, trouble, attributes } = useRow(id, index + 1);
  const changing = useComputed(() => (drawn.value?.id === id ? drawn.value : undefined));
  const waitsFor = useComputed(() => blockersOf(id));
  const issue = tables.issue.watch(id);
  if (!issue) return null;
  const lane = tables.lane.watch(issue.lane);
  const bar = changing.value ?? barNow(issue);
  return (
    <div {...attributes(issue.key)} ref={standsAt(index)}>
      <span role="gridcell" class="names">
        <LaneIcon lane={lane} part={partOf(lane)} />
        <span class="key meta">{issue.key}</span>
        <span class="title" dir="auto"><a data-in href={`/issues/${issue.key}`} tabIndex={-1}>{issue.title}</a></span>
        {waitsFor.value && <span class="hidden">{waitsFor.value}</span>}
        {trouble.value && <TroubleLine key={trouble.value.change.id} trouble={trouble.value} />}
        {waits.value && <span class="waits" title={t.waits} />}
      </span>
      <span role="gridcell" class="along" onPointerDown={(event) => (bar ? undefined : draw(event, issue))}>
        {bar ? <BarOf issue={issue} bar={bar} more={waitsFor.value} /> : <span class="hidden">{t.noDate}</span>}
      </span>
    </div>
  );
}

/** What the lines to its bar say, in words. */
function blockersOf(id: number): string {
  const ties = tiesOf([id]).filter(({ blocked }) => blocked.issue.id === id);
  const keysOf = (some: typeof ties): string => some.map(({ blocker }) => blocker.issue.key).join(", ");
  const early = ties.filter(isEarly);
  return [ties.length && words.blockedBy(keysOf(ties)), early.length && words.tooEarly(keysOf(early))].filter(Boolean).join("; ");
}

/** `more`: what is said of it besides. */
function BarOf({ issue, bar, more }: { issue: Issue; bar: Bar; more: string }) {
  const { start_date: start, due_date: due } = issue;
  const isLate = due !== null && due < dayFromNow(0) && !isDone(issue);
  const wide = widthOf(bar);
  const text = bar.from === bar.to ? day(bar.from) : `${day(bar.from)} – ${day(bar.to)}`;
  const looks = ["stretch", isLate && "overdue", isDone(issue) && "past", !start && "no-start", !due && "no-due", wide < SHORT_PX && "short"];
  return (
    <span
      class={looks.filter(Boolean).join(" ")}
      style={{ ...at(bar.from), width: `${wide}px` }}
      title={[`${issue.title}: ${text}`, more].filter(Boolean).join("; ")}
      onPointerDown={(event) => pull(event, issue, bar, "both")}
    >
      <span class="end before" onPointerDown={(event) => pull(event, issue, bar, "from")} />
      <span class="cut">{isLate && <span aria-hidden="true">! </span>}{isLate && <span class="hidden">{t.conditions.overdue}: </span>}{text}</span>
      <span class="end behind" onPointerDown={(event) => pull(event, issue, bar, "to")} />
    </span>
  );
}

/** What a bar is by how many days it was pulled. */
function pulled({ from, to }: Bar, what: "both" | keyof Bar, days: number): Bar {
  if (what === "both") return { from: after(from, days), to: after(to, days) };
  return what === "from" ? { from: earlier(after(from, days), to), to } : { from, to: later(after(to, days), from) };
}

/** Move a bar, or one of its ends, as long as the pointer is held. */
function pull(event: TargetedPointerEvent<HTMLElement>, issue: Issue, bar: Bar, what: "both" | keyof Bar): void {
  event.stopPropagation();
  held(event, (days) => {
    drawn.value = { id: issue.id, ...pulled(bar, what, days) };
  }, (next, seq) => setDates(issue, datesOf(issue, next, what), { seq }));
}

/** One that is a day long has its other day when that end is pulled. */
function datesOf({ start_date: start, due_date: due }: Issue, { from, to }: Bar, what: "both" | keyof Bar): Dates {
  if (what === "both") return { ...(start && { start: from }), ...(due && { due: to }) };
  return what === "from" ? { start: from } : { due: to };
}

/** Where there is no bar, one is drawn. */
function draw(event: TargetedPointerEvent<HTMLElement>, issue: Issue): void {
  const line = event.currentTarget.getBoundingClientRect();
  const x = isTurned(event.currentTarget) ? line.right - event.clientX : event.clientX - line.left;
  const begin = after(range.peek().from, Math.floor(x / DAY_PX[zoom.peek()]));
  const stretch = (days: number): void => {
    const end = after(begin, days);
    drawn.value = { id: issue.id, from: earlier(begin, end), to: later(begin, end) };
  };
  held(event, stretch, ({ from, to }, seq) => setDates(issue, { start: from, due: to }, { seq }));
}

/** Follow the pointer until it is let go; Escape leaves it as it was. `seq`: what was known when it began. */
function held(event: TargetedPointerEvent<HTMLElement>, onMove: (days: number) => void, onEnd: (bar: Bar, seq: number) => void): void {
  if (event.button) return;
  const { seq } = place;
  const element = event.currentTarget;
  const from = event.clientX;
  const turn = isTurned(element) ? -1 : 1;
  const over = new AbortController();
  element.setPointerCapture(event.pointerId);
  const { signal } = over;
  const move = ({ clientX }: PointerEvent): void => {
    if (drawn.peek() || Math.abs(clientX - from) >= LEAST_PX) onMove(Math.round(((clientX - from) * turn) / DAY_PX[zoom.peek()]));
  };
  const end = (): void => {
    const found = drawn.peek();
    drawn.value = undefined;
    over.abort();
    if (!found) return;
    // It was no click.
    element.addEventListener("click", stop, { capture: true });
    setTimeout(() => element.removeEventListener("click", stop, { capture: true }));
    onEnd(found, seq);
  };
  const leave = (): void => {
    drawn.value = undefined;
    over.abort();
  };
  const heard = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !drawn.peek()) return;
    event.preventDefault();
    event.stopPropagation();
    leave();
  };
  element.addEventListener("pointermove", move, { signal });
  // Its row may have gone meanwhile.
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", leave, { signal });
  addEventListener("keydown", heard, { signal, capture: true });
}

function stop(event: Event): void {
  event.stopPropagation();
}

/** What keys do beside those of a list. */
function commandsOf(box: () => HTMLElement): Command[] {
  const has = (): boolean => atCursor.value !== undefined;
  const aside = (by: number): number => (isTurned(box()) ? -by : by);
  const seen = (date: string | undefined): void => {
    if (date) show(box(), date);
  };
  const scroll = (by: number): void => void box().scrollBy({ left: by * DAY_PX[zoom.peek()] * WEEK });
  const all = (days: number): void => seen(shift((issue) => bothLater(issue, days)));
  const start = (days: number): void => seen(shift((issue) => datesOf(issue, pulled(barOf(issue)!, "from", days), "from")));
  const due = (days: number): void => seen(shift((issue) => datesOf(issue, pulled(barOf(issue)!, "to", days), "to")));
  const group = t.timeline;
  return [
    { id: "time-left", title: words.previous, group, keys: ["ArrowLeft"], run: () => scroll(-1) },
    { id: "time-right", title: words.next, group, keys: ["ArrowRight"], run: () => scroll(1) },
    { id: "time-today", title: words.today, group, keys: ["t"], run: () => show(box(), dayFromNow(0)) },
    { id: "day-earlier", title: words.dayEarlier, group, keys: ["Shift+ArrowLeft"], when: has, run: () => all(aside(-1)) },
    { id: "day-later", title: words.dayLater, group, keys: ["Shift+ArrowRight"], when: has, run: () => all(aside(1)) },
    { id: "week-earlier", title: words.weekEarlier, group, keys: ["Shift+ArrowUp"], when: has, run: () => all(-WEEK) },
    { id: "week-later", title: words.weekLater, group, keys: ["Shift+ArrowDown"], when: has, run: () => all(WEEK) },
    { id: "due-earlier", title: words.dueEarlier, group, keys: ["Alt+Shift+ArrowLeft"], when: has, run: () => due(aside(-1)) },
    { id: "due-later", title: words.dueLater, group, keys: ["Alt+Shift+ArrowRight"], when: has, run: () => due(aside(1)) },
    { id: "start-earlier", title: words.startEarlier, group, keys: ["$mod+Shift+ArrowLeft"], when: has, run: () => start(aside(-1)) },
    { id: "start-later", title: words.startLater, group, keys: ["$mod+Shift+ArrowRight"], when: has, run: () => start(aside(1)) },
    { id: "time-open", title: words.toBar, group, keys: ["Home"], when: has, run: () => seen(dayOf(tables.issue.get(cursor.peek()!)!)) },
    ...ZOOMS.map((one, at) => ({ id: `zoom-${one}`, title: words.zooms[one], group, keys: [String(at + 1)], run: () => void (zoom.value = one) })),
  ];
}
