/** The issue that keys act on, and those that are selected. */
import { batch, computed, effect, signal } from "@preact/signals";
import { tables } from "../store/tables.ts";
import { here, peek, peeked } from "../ui/router.ts";
import { layout } from "../filter/state.ts";
import { folded, setFolded } from "./folds.ts";
import { type HeadRow, type Row, rows, shown } from "./query.ts";

export const cursor = signal<number | undefined>(undefined);
/** The folded group that the cursor is on instead, by its path: its head stands for the issues behind it. */
export const atHead = signal<string | undefined>(undefined);
export const selected = signal<ReadonlySet<number>>(new Set());
/** The issue whose title somebody wants to write, as soon as it is open. */
export const titling = signal<number | undefined>(undefined);
let anchor: number | undefined;
/** Where the cursor was among the rows: what goes from there leaves it to the next one. */
let lastAt = 0;

/** Which list it is, whatever is open beside it; an issue that is opened from it belongs to it. */
let list: string | undefined;

// What is not on the screen is not changed by a key.
effect(() => {
  const place = here.value;
  if (place.name === "issue") return;
  const now = [place.name, place.name === "project" && place.key, (place.name === "view" || place.name === "sprint") && place.id].join();
  if (now === list) return;
  selectNone();
  putNowhere();
  list = now;
});

export const order = computed(() => rows.value.flatMap((row) => ("issue" in row ? [row.issue] : [])));

/** Where the cursor can be. */
const stops = computed(() => rows.value.filter((row) => "issue" in row || row.folded));

export function isAt(row: Row): boolean {
  return "issue" in row ? row.issue === cursor.peek() : row.path === atHead.peek();
}

export function headId(path: string): string {
  return `head-${encodeURIComponent(path)}`;
}

/** The row of the cursor, for whoever has it read out. */
export const activeRow = computed(() => {
  if (atHead.value !== undefined) return headId(atHead.value);
  return cursor.value === undefined ? undefined : `issue-${cursor.value}`;
});

/** The issue that a room shows, such as the inbox. */
export const inRoom = signal<string | undefined>(undefined);

/**
 * Have it be this one, for as long as a room is shown: from the next key on, for which a hook would wait too long. Answers
 * what ends it.
 */
export function holdInRoom(keyOf: () => string | undefined): () => void {
  const end = effect(() => {
    inRoom.value = keyOf();
  });
  return () => {
    end();
    inRoom.value = undefined;
  };
}

/** The key of the issue of the page, of a room, or beside the list. */
export const openKey = computed(() => (here.value.name === "issue" ? here.value.key : here.value.name === "room" ? (inRoom.value ?? peeked.value) : peeked.value));

export const open = computed(() => (openKey.value ? byKey(openKey.value) : undefined));

export function byKey(key: string): number | undefined {
  for (const issue of tables.issue.all()) if (issue.key === key) return issue.id;
  return undefined;
}

/** Where the cursor is, if that is shown: what is done or does not fit the words any more is not. */
export const atCursor = computed(() => {
  const id = cursor.value;
  if (id === undefined) return undefined;
  return (layout.value === "board" ? shown.value.some((issue) => issue.id === id) : order.value.includes(id)) ? id : undefined;
});

/** What a key acts on: the issue of the page; else what is selected, where the cursor is, or what is open beside. */
export function targets(): number[] {
  const one = here.value.name === "issue" ? open.value : (atCursor.value ?? open.value);
  if (here.value.name !== "issue" && selected.value.size) return [...selected.value];
  return one === undefined ? [] : [one];
}

export function move(step: number): void {
  const all = stops.peek();
  if (!all.length) return;
  const at = all.findIndex(isAt);
  const gone = activeRow.peek() === undefined ? (step > 0 ? 0 : all.length - 1) : lastAt + (step > 0 ? 0 : -1);
  goTo(all[Math.min(all.length - 1, Math.max(0, at < 0 ? gone : at + step))]!);
}

function goTo(row: Row): void {
  if ("issue" in row) return put(row.issue);
  batch(() => {
    cursor.value = undefined;
    atHead.value = row.path;
  });
  lastAt = stops.peek().indexOf(row);
}

export function put(id: number): void {
  batch(() => {
    cursor.value = id;
    atHead.value = undefined;
  });
  lastAt = Math.max(0, stops.peek().findIndex(isAt));
  const issue = tables.issue.get(id);
  if (peeked.value && issue) peek(issue.key);
}

export function putNowhere(): void {
  batch(() => {
    cursor.value = atHead.value = undefined;
  });
}

const isHead = (row: Row): row is HeadRow => "head" in row;

/** Whether there are groups to fold: the first row is a head, then. */
export const hasGroups = computed(() => rows.value.slice(0, 1).some(isHead));

/** Fold a group, or unfold it; the cursor stays in it. */
export function turnGroup(path: string): void {
  const now = folded.peek();
  const isIn = stops.peek().some(isAt);
  setFolded(now.has(path) ? [...now].filter((one) => one !== path) : [...now, path]);
  if (isIn) stayIn(path);
}

/** What the cursor was on went behind a head, or came from there. */
function stayIn(path: string): void {
  if (stops.peek().some(isAt)) return;
  const all = rows.peek();
  const from = all.findIndex((row) => isHead(row) && row.path === path);
  const row = all.slice(Math.max(0, from)).find((one) => !isHead(one) || one.folded);
  if (row) goTo(row);
}

/** The group of the row of the cursor. `outer`: the one that is in no other. */
function groupAt(outer: boolean): string | undefined {
  const all = rows.peek();
  return all.slice(0, all.findIndex(isAt) + 1).filter(isHead).findLast((row) => !(outer && row.within))?.path;
}

export function turnGroupAt({ outer = false } = {}): void {
  const path = groupAt(outer);
  if (path !== undefined) turnGroup(path);
}

/** Fold all groups that are in no other, or unfold all there are. */
export function turnGroups(): void {
  const path = groupAt(true);
  const heads = rows.peek().filter(isHead);
  setFolded(heads.some((row) => row.folded) ? [] : heads.flatMap((row) => (row.within ? [] : row.path)));
  if (path !== undefined) stayIn(path);
}

export function toggle(id: number, { range = false } = {}): void {
  const next = new Set(selected.value);
  const ids = order.value;
  const [from, to] = [anchor === undefined ? -1 : ids.indexOf(anchor), ids.indexOf(id)].sort((a, b) => a - b);
  if (range && from !== undefined && from >= 0 && to !== undefined) {
    for (const one of ids.slice(from, to + 1)) next.add(one);
  } else if (!next.delete(id)) next.add(id);
  anchor = id;
  selected.value = next;
}

export function selectAll(): void {
  selected.value = new Set(order.value);
}

export function selectNone(): void {
  selected.value = new Set();
  anchor = undefined;
}
