/** The board of a project: its lanes as columns, cards in the order of the project. */
import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { computed, type ReadonlySignal, signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { change, troubles, unsent } from "../store/changes.ts";
import type { Issue, Lane } from "../store/kinds.ts";
import { random } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { go, peek } from "../ui/router.ts";
import { spoken } from "../ui/spoken.ts";
import { number, t } from "../ui/texts.ts";
import { edit } from "./asked.ts";
import { Begin } from "./begin.tsx";
import { cursor, put, selected } from "./cursor.ts";
import { asksOthers, leads, setLane } from "./edits.ts";
import { Empty } from "./list.tsx";
import { Due, Labels, nameOf, Who } from "./marks.tsx";
import { columns, partOf } from "./lanes.ts";
import { hasOrder, shown, showsDone } from "./query.ts";
import { byRank } from "./sorting.ts";
import { TroubleLine } from "./trouble.tsx";

/** So many cards of a column are drawn at once; those behind are asked for. */
const DRAWN = 50;

interface Place {
  readonly lane: string;
  /** The issue before which it goes; none: at the end. */
  readonly before: number | undefined;
}

const dragged = signal<number | undefined>(undefined);
const over = signal<Place | undefined>(undefined);

const stacks = computed(() => {
  const byLane = Map.groupBy(shown.value, (issue) => issue.lane);
  return columns.value
    .filter((lane) => lane.category !== "done" || lane.outcome === "completed" || byLane.has(lane.key))
    .filter((lane) => lane.category !== "done" || lane.outcome === "completed" || showsDone.value)
    .map((lane) => ({ lane, issues: (byLane.get(lane.key) ?? []).sort(byRank) }));
});

/** The issue of the cursor, where it stands behind those: it was moved there, and is drawn behind them. */
const beyond = computed(() => stacks.value.flatMap(({ issues }) => issues.slice(DRAWN)).find(({ id }) => id === cursor.value));

function drawnOf(issues: readonly Issue[]): Issue[] {
  const one = beyond.value;
  return [...issues.slice(0, DRAWN), ...(one && issues.includes(one) ? [one] : [])];
}

export function Board() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Where one column fills the screen, an empty one would look like an empty board.
    if (!matchMedia("(max-width: 767px)").matches) return;
    const first = stacks.peek().findIndex(({ issues }) => issues.length);
    if (first > 0) box.current!.children[first]!.scrollIntoView({ inline: "start", block: "nearest" });
  }, []);
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => {
          dragged.value = source.data["issue"] as number;
        },
        onDropTargetChange: ({ location }) => {
          const [inner] = location.current.dropTargets;
          over.value = inner ? { lane: inner.data["lane"] as string, before: inner.data["before"] as number | undefined } : undefined;
        },
        onDrop: () => {
          const issue = tables.issue.get(dragged.value ?? -1);
          const to = over.value;
          dragged.value = over.value = undefined;
          if (issue && to) drop(issue, to);
        },
      }),
    [],
  );
  return (
    <>
      {!shown.value.length && <div class="above"><Empty /></div>}
      <div class="board" ref={box} role="group" aria-label={t.board}>
        {stacks.value.map(({ lane, issues }) => <Column key={lane.key} lane={lane} issues={issues} />)}
        <p class="hidden" role="status">{spoken.value}</p>
      </div>
    </>
  );
}

function Column({ lane, issues }: { lane: Lane; issues: readonly Issue[] }) {
  const box = useRef<HTMLElement>(null);
  const shut = useComputed(() => {
    const issue = tables.issue.get(dragged.value ?? -1);
    return issue !== undefined && !leads(issue, lane);
  });
  const asks = useComputed(() => {
    const issue = tables.issue.get(dragged.value ?? -1);
    return issue !== undefined && issue.lane !== lane.key && asksOthers(issue, lane.key);
  });
  useEffect(
    () =>
      dropTargetForElements({
        element: box.current!,
        getData: () => ({ lane: lane.key }),
        canDrop: ({ source }) => fits(source.data["issue"] as number, lane),
      }),
    [lane],
  );
  const drawn = drawnOf(issues);
  const full = lane.wip !== null && issues.length > lane.wip;
  return (
    <section class={`column${shut.value ? " shut" : ""}`} ref={box} aria-label={lane.name}>
      <h2>
        <LaneIcon lane={lane} part={partOf(lane)} />
        {lane.name}
        <span class={full ? "late" : "meta"}>
          {number(issues.length)}
          {lane.wip !== null && t.ofLimit(lane.wip)}
        </span>
        {shut.value && <span class="meta">{t.noWay}</span>}
        {asks.value && <span class="meta">{t.asksOthers}</span>}
      </h2>
      <Begin column={lane.name} lanes={[lane.key]} />
      <ol>
        {drawn.map((issue) => <Card key={issue.id} id={issue.id} lane={lane.key} />)}
        <Mark lane={lane.key} before={undefined} />
      </ol>
      {issues.length > drawn.length && <p class="meta pad">{t.moreInList(issues.length - drawn.length)}</p>}
    </section>
  );
}

/** Both may go while somebody drags. */
function fits(id: number, lane: Lane | undefined): boolean {
  const issue = tables.issue.get(id);
  return issue !== undefined && lane !== undefined && leads(issue, lane);
}

/** Where it would go. */
function Mark({ lane, before }: Place) {
  const here = useComputed(() => over.value?.lane === lane && over.value.before === before);
  return here.value ? <li class="drop" aria-hidden="true" /> : null;
}

function Card({ id, lane }: { id: number; lane: string }) {
  const box = useRef<HTMLLIElement>(null);
  const on = useComputed(() => cursor.value === id);
  const picked = useComputed(() => selected.value.has(id));
  const moves = useComputed(() => dragged.value === id);
  const issue = tables.issue.watch(id);
  useEffect(() => {
    const element = box.current!;
    const stops = [
      draggable({ element, getInitialData: () => ({ issue: id }) }),
      dropTargetForElements({
        element,
        getData: () => ({ lane, before: id }),
        canDrop: ({ source }) => source.data["issue"] !== id && fits(source.data["issue"] as number, tables.lane.get(lane)),
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [id, lane]);
  useInSight(box, on, issue);
  if (!issue) return null;
  return (
    <>
      <Mark lane={lane} before={id} />
      <li
        ref={box}
        data-card={id}
        class={`card${on.value ? " on" : ""}${picked.value ? " picked" : ""}${moves.value ? " moves" : ""}`}
        onFocusIn={() => cursor.peek() !== id && put(id)}
        onClick={(event) => {
          put(id);
          if (!(event.target as Element).closest("a")) peek(issue.key);
        }}
        onDblClick={() => go(`/issues/${issue.key}`)}
      >
        <Face issue={issue} />
      </li>
    </>
  );
}

/** A card has the focus as the cursor comes to it, and is seen; so it is where whoever is here moved it. */
export function useInSight(box: { readonly current: HTMLElement | null }, on: ReadonlySignal<boolean>, issue: Issue | undefined): void {
  const was = useRef(false);
  useEffect(() => {
    const stays = was.current;
    was.current = on.peek(); // the next key may have come before this was drawn
    if (!was.current) return;
    const active = document.activeElement;
    // What others move stays where one looks, and whoever went on to a field stays in it.
    if (stays && !(unsent.peek().has(issue?.id ?? -1) && (active === document.body || box.current?.contains(active)))) return;
    box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    box.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [on.value, issue?.rank]);
}

interface FaceProps {
  readonly issue: Issue;
  /** In place of what cards say usually. */
  readonly facts?: ComponentChildren;
  /** Behind it. */
  readonly children?: ComponentChildren;
}

/** What a card says of an issue. */
export function Face({ issue, facts, children }: FaceProps) {
  const waits = useComputed(() => unsent.value.has(issue.id));
  const trouble = useComputed(() => troubles.value.get(issue.id)?.[0]);
  return (
    <>
      <p class="bar meta">
        <span class="key">{issue.key}</span>
        {waits.value && <span class="waits" title={t.waits} />}
        <span class="grow" />
        {facts === undefined && (
          <button
            type="button"
            class="mini"
            aria-label={`${t.assignee}: ${nameOf(issue.assignees[0]) ?? t.nobody}`}
            onClick={(event) => {
              event.stopPropagation();
              edit("assignee", [issue.id], event.currentTarget);
            }}
          >
            <Who id={issue.assignees[0]} />
          </button>
        )}
      </p>
      <p class="title" dir="auto">
        <a data-in href={`/issues/${issue.key}`} draggable={false}>{issue.title}</a>
      </p>
      <p class="bar">
        {facts ?? (
          <>
            {issue.priority !== "none" && <PriorityIcon priority={issue.priority} />}
            <Labels ids={issue.labels} />
            {issue.due_date && <Due date={issue.due_date} done={issue.done_at !== null} />}
          </>
        )}
        {children}
      </p>
      {trouble.value && <TroubleLine key={trouble.value.change.id} trouble={trouble.value} />}
    </>
  );
}

/** Into a lane, before another issue or at its end: what changes is changed, the lane first. */
function drop(issue: Issue, { lane, before }: Place): void {
  const others = (stacks.value.find((one) => one.lane.key === lane)?.issues ?? []).filter((one) => one.id !== issue.id);
  const at = before === undefined ? Math.min(others.length, DRAWN) : others.findIndex((one) => one.id === before);
  const next = others[at];
  const last = others[at - 1];
  const group = random();
  put(issue.id);
  setLane([issue], lane, group);
  if (issue.lane !== lane && asksOthers(issue, lane)) return; // it stays, until they agree
  if (!hasOrder.value || (!next && !last)) return speak(issue.id);
  const side = next ? { before: next.key } : { after: last!.key };
  const rank = between(last?.rank, next?.rank);
  if (rank === issue.rank) return;
  change(issue, t.changed("Place", issue.key), { rank }, "issues.rank", { keys: [issue.key], ...side }, group);
  speak(issue.id);
}

/** A text that is sorted between two others, until the server says which it is. */
function between(low: string | undefined, high: string | undefined): string {
  if (low === undefined) return `${high!.slice(0, -1)}!`;
  return `${low}!`;
}

/** Move the issue of the cursor to the next lane that a way leads to. */
export function shift(step: number): void {
  const issue = tables.issue.get(cursor.value ?? -1);
  if (!issue) return;
  const order = stacks.value.map(({ lane }) => lane);
  for (let at = order.findIndex((lane) => lane.key === issue.lane) + step; order[at]; at += step) {
    const lane = order[at]!;
    if (!leads(issue, lane)) continue;
    setLane([issue], lane.key);
    return speak(issue.id);
  }
}

/** Where it stands now: it stays, where others have to agree. */
function speak(id: number): void {
  const to = stacks.peek().find(({ issues }) => issues.some((one) => one.id === id));
  const key = tables.issue.get(id)?.key;
  if (to && key) spoken.value = t.standsAt(key, to.lane.name, to.issues.findIndex((one) => one.id === id) + 1, to.issues.length);
}

/** Move the cursor between columns, and within one. */
export function walk(across: number, down: number): void {
  const here = stacks.value.map(({ issues }) => ({ issues: drawnOf(issues) }));
  const column = here.findIndex(({ issues }) => issues.some((issue) => issue.id === cursor.value));
  if (column < 0) {
    const first = here.find(({ issues }) => issues.length)?.issues[0];
    if (first) put(first.id);
    return;
  }
  const row = here[column]!.issues.findIndex((issue) => issue.id === cursor.value);
  if (down) {
    const next = here[column]!.issues[row + down];
    if (next) put(next.id);
    return;
  }
  for (let at = column + across; here[at]; at += across) {
    const { issues } = here[at]!;
    if (issues.length) return put(issues[Math.min(row, issues.length - 1)]!.id);
  }
}

