/** Rows of one height, of which only those on the screen are in the document. */
import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { offer } from "../ui/commands.ts";
import { rowPx } from "../ui/density.ts";
import { isIdle } from "../ui/keys.ts";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { activeRow, isAt } from "./cursor.ts";
import { whereOf } from "./folds.ts";
import { bringIn, touched } from "./held.ts";
import { held, type Row, rows } from "./query.ts";

/** So many rows above and below what is seen are there as well: who scrolls sees no gaps. */
const BEYOND = 8;
/** After so many rows of them the next ones are drawn, behind the frame that shows the ones there are. */
const FOLLOW = 4;
/** Where as many that are seen are others than before, they are drawn by themselves first. */
const OTHERS = 8;
/** At least so much of the window stands above the rows: until it is measured they are drawn for the rest. */
const ABOVE_PX = 80;
/** So many heads stand above a row: folded ones may be many. */
const MOST_HEADS = 2;

/** How far down one was, and where: who lays it out otherwise, or comes back, goes on there. */
let was = { at: "", top: 0 };

interface Seen {
  /** Those that are on the screen. `first`: place of the first of them among all rows. */
  readonly span: ReadonlySignal<{ readonly first: number; readonly seen: readonly Row[] }>;
  readonly onScroll: (event: { readonly currentTarget: HTMLElement }) => void;
  /** Have what others brought, and go there. */
  readonly bring: () => void;
}

/** Which they are, with the row of the cursor kept in sight. `heads`: so many rows stand above them, and stay there. */
export function useSeen(box: RefObject<HTMLElement | null>, heads = 0): Seen {
  const top = useSignal(0); // of what is drawn: behind that of the box by less than is drawn beyond
  const away = useSignal(false);
  const height = useSignal(innerHeight - ABOVE_PX);
  const beyond = useSignal(0); // what is not seen is drawn behind the frame
  // No effect: one would run before the frame, where the box turns out to be of another height.
  const drawBeyond = (): void => behindFrame(() => (beyond.value = BEYOND));
  useLayoutEffect(() => {
    if (was.at === whereOf(here.peek())) box.current!.scrollTop = was.top;
    const watcher = new ResizeObserver(() => {
      height.value = box.current!.clientHeight;
    });
    watcher.observe(box.current!);
    drawBeyond();
    let drawn = rows.peek();
    const end = rows.subscribe((now) => {
      const { first, seen } = span.peek();
      const before = new Set(drawn.slice(first, first + seen.length).map(rowKey));
      drawn = now;
      if (seen.filter((row) => !before.has(rowKey(row))).length < OTHERS) return;
      beyond.value = 0;
      drawBeyond();
    });
    return () => {
      end();
      watcher.disconnect();
    };
  }, []);
  useLayoutEffect(
    () =>
      activeRow.subscribe((id) => {
        if (id === undefined) return;
        show(box.current!, rows.peek().findIndex(isAt), heads);
        // What is read out is the row of whoever has the focus.
        if (isIdle()) box.current!.focus({ preventScroll: true });
      }),
    [],
  );
  const span = useComputed(() => {
    const first = Math.max(0, Math.floor(top.value / rowPx.value) - beyond.value);
    const last = Math.ceil((top.value + height.value) / rowPx.value) + beyond.value;
    return { first, seen: rows.value.slice(first, last) };
  });
  const follow = (): void => {
    if (box.current) top.value = box.current.scrollTop;
  };
  const onScroll: Seen["onScroll"] = ({ currentTarget: { scrollTop } }) => {
    was = { at: whereOf(here.peek()), top: scrollTop };
    away.value = scrollTop > 0;
    const rowsOff = Math.abs(scrollTop - top.peek()) / rowPx.peek();
    if (rowsOff > beyond.peek()) follow();
    else if (rowsOff >= FOLLOW) behindFrame(follow);
  };
  useSignalEffect(() => {
    touched.value = away.value || activeRow.value !== undefined;
  });
  const bring = (): void => {
    const came = new Set(held.peek());
    bringIn();
    show(box.current!, rows.value.findIndex((one) => "issue" in one && came.has(one.issue)), heads);
    box.current!.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    const end = offer([{ id: "bring-in", title: t.bringIn, group: t.list, keys: ["u"], when: () => held.value.size > 0, run: bring }]);
    return () => {
      end();
      touched.value = false;
      bringIn(); // who comes back to it has all there is
    };
  }, []);
  return { span, onScroll, bring };
}

/** Do it as soon as the frame is shown that is being made. */
function behindFrame(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}

/** Of a row: the same for as long as it stands for the same. */
export function rowKey(row: Row): number | string {
  return "issue" in row ? row.issue : row.path;
}

/** How high all of them are. */
export function tall(): string {
  return `${rows.value.length * rowPx.value}px`;
}

/** Where the row of a place stands. */
export function standsAt(index: number): (row: HTMLElement | null) => void {
  const top = index * rowPx.value;
  return (row) => {
    if (row) row.style.transform = `translateY(${top}px)`;
  };
}

/** The row of a place, with the heads right above it. */
function show(box: HTMLElement, at: number, heads: number): void {
  if (at < 0) return;
  const height = rowPx.peek();
  const to = (at + 1 + heads) * height;
  let first = at;
  while (first > 0 && "head" in rows.peek()[first - 1]! && at - first < MOST_HEADS) first--;
  if (first * height < box.scrollTop) box.scrollTop = first * height;
  else if (to > box.scrollTop + box.clientHeight) box.scrollTop = to - box.clientHeight;
}
