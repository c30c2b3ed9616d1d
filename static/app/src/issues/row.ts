/** The row of an issue, wherever issues stand below each other: how it is marked, and what a click on it does. */
import { useComputed } from "@preact/signals";
import type { TargetedMouseEvent } from "preact";
import { troubles, unsent } from "../store/changes.ts";
import { go, peek } from "../ui/router.ts";
import { cursor, put, selected, toggle } from "./cursor.ts";

/** `line`: which one it is among all, the first is 1. */
export function useRow(id: number, line: number) {
  const on = useComputed(() => cursor.value === id);
  const picked = useComputed(() => selected.value.has(id));
  const waits = useComputed(() => unsent.value.has(id));
  const trouble = useComputed(() => troubles.value.get(id)?.[0]);
  // As signals they move in the document alone: whoever goes down a list has no row drawn anew.
  const marks = useComputed(() => `row issue${on.value ? " on" : ""}${picked.value ? " picked" : ""}`);
  const attributes = (key: string) => ({
    class: marks,
    role: "row" as const,
    id: `issue-${id}`,
    "aria-rowindex": line,
    "aria-selected": picked,
    onClick(event: TargetedMouseEvent<HTMLElement>): void {
      put(id);
      if ((event.target as Element).closest("button, input, a")) return;
      if (event.shiftKey || event.metaKey || event.ctrlKey) return toggle(id, { range: event.shiftKey });
      peek(key);
    },
    onDblClick: () => go(`/issues/${key}`),
  });
  return { picked, waits, trouble, attributes };
}
