/** The issue that keys act on, and those that are selected. */
import { computed, signal } from "@preact/signals";
import { tables } from "../store/tables.ts";
import { here, peek, peeked } from "../ui/router.ts";
import { rows } from "./query.ts";

export const cursor = signal<number | undefined>(undefined);
export const selected = signal<ReadonlySet<number>>(new Set());
let anchor: number | undefined;

export const order = computed(() => rows.value.flatMap((row) => ("issue" in row ? [row.issue] : [])));

/** The issue of the page, or beside the list. */
export const open = computed(() => {
  const key = here.value.name === "issue" ? here.value.key : peeked.value;
  return key ? byKey(key) : undefined;
});

export function byKey(key: string): number | undefined {
  for (const issue of tables.issue.all()) if (issue.key === key) return issue.id;
  return undefined;
}

/** What a key acts on: what is selected, else what is open, else where the cursor is. */
export function targets(): number[] {
  if (selected.value.size) return [...selected.value];
  const one = here.value.name === "issue" ? open.value : (cursor.value ?? open.value);
  return one === undefined ? [] : [one];
}

export function move(step: number): void {
  const ids = order.value;
  if (!ids.length) return;
  const at = cursor.value === undefined ? -1 : ids.indexOf(cursor.value);
  const to = at < 0 ? (step > 0 ? 0 : ids.length - 1) : Math.min(ids.length - 1, Math.max(0, at + step));
  put(ids[to]!);
}

export function put(id: number): void {
  cursor.value = id;
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
}
