/** The row of an issue, wherever issues stand below each other: how it is marked, and what a click on it does. */
import { computed } from "@preact/signals";
import type { TargetedMouseEvent } from "preact";
import { useMemo } from "preact/hooks";
import { troubles, unsent } from "../store/changes.ts";
import { go, peek } from "../ui/router.ts";
import { cursor, put, selected, toggle } from "./cursor.ts";

/** `line`: which one it is among all, the first is 1. */
export function useRow(id: number, line: number) {
  // As signals they move in the document alone: whoever goes down a list has no row drawn anew.
  const { picked, waits, trouble, marks } = useMemo(() => {
    const picked = computed(() => selected.value.has(id));
    return {
      picked,
      waits: computed(() => unsent.value.has(id)),
      trouble: computed(() => troubles.value.get(id)?.[0]),
      marks: computed(() => `row issue${cursor.value === id ? " on" : ""}${picked.value ? " picked" : ""}`),
    };
  }, [id]);
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
