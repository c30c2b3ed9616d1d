/** The issue that keys act on, and those that are selected. */
import { computed, effect, signal } from "@preact/signals";
import { tables } from "../store/tables.ts";
import { here, peek, peeked } from "../ui/router.ts";
import { layout } from "../filter/state.ts";
import { rows, shown } from "./query.ts";

export const cursor = signal<number | undefined>(undefined);
export const selected = signal<ReadonlySet<number>>(new Set());
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
  cursor.value = undefined;
  list = now;
});

export const order = computed(() => rows.value.flatMap((row) => ("issue" in row ? [row.issue] : [])));

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

/** The issue of the page, of a room, or beside the list. */
export const open = computed(() => {
  const key = here.value.name === "issue" ? here.value.key : here.value.name === "room" ? (inRoom.value ?? peeked.value) : peeked.value;
  return key ? byKey(key) : undefined;
});

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
  const ids = order.value;
  if (!ids.length) return;
  const at = cursor.value === undefined ? -1 : ids.indexOf(cursor.value);
  const gone = cursor.value === undefined ? (step > 0 ? 0 : ids.length - 1) : lastAt + (step > 0 ? 0 : -1);
  put(ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? gone : at + step))]!);
}

export function put(id: number): void {
  cursor.value = id;
  lastAt = Math.max(0, order.peek().indexOf(id));
  const issue = tables.issue.get(id);
  if (peeked.value && issue) peek(issue.key);
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
