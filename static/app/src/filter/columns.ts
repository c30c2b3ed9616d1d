/**
 * Which columns a table has, as queries name them, and how wide they are: a view says which, and the address what is
 * otherwise than in the view; the rest this browser keeps.
 */
import { computed, signal } from "@preact/signals";
import { query } from "../ui/router.ts";
import { set } from "./state.ts";
import { view } from "./view.ts";

const NAME = "kbwork.table";
const USUAL: readonly string[] = ["status", "priority", "assignee", "due", "label", "estimate", "updated"];
/** They stand first, and cannot be taken away. */
const FIRST: readonly string[] = ["key", "title"];
/** What a view or a board may name otherwise. */
const ALIASES: Readonly<Record<string, string>> = { assignees: "assignee", labels: "label", components: "component", state: "status", summary: "title" };

/** As columns here are called. */
export const usualName = (name: string): string => ALIASES[name] ?? name;

interface Kept {
  /** Where no view says so; none: the usual ones. */
  readonly columns: readonly string[];
  /** In pixels, by column. */
  readonly widths: Readonly<Record<string, number>>;
}

const kept = signal<Kept>(read());

function read(): Kept {
  const none: Kept = { columns: [], widths: {} };
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Kept>) };
  } catch {
    return none; // the browser keeps nothing
  }
}

function keep(more: Partial<Kept>): void {
  kept.value = { ...kept.peek(), ...more };
  try {
    localStorage.setItem(NAME, JSON.stringify(kept.peek()));
  } catch {
    // until the tab is closed, then
  }
}

/** Behind the key and the title. A view may name some that are computed. */
export const chosen = computed<readonly string[]>(() => {
  const asked = query.value.get("columns")?.split(/,(?![^()]*\))/) ?? ofView();
  const found = asked?.map(usualName).filter((name) => !FIRST.includes(name));
  if (found) return found;
  return kept.value.columns.length ? kept.value.columns : USUAL;
});

/** Nothing where it has the usual ones. */
function ofView(): readonly string[] | undefined {
  const columns = view.value?.columns ?? [];
  return columns.length ? columns : undefined;
}

/** As views have them. */
export function wholeColumns(): string[] {
  return [...FIRST, ...chosen.peek()];
}

export function setColumns(next: readonly string[]): void {
  if (!view.peek()) {
    keep({ columns: next });
    if (query.peek().has("columns")) set("columns", null);
    return;
  }
  const text = [...FIRST, ...next].join();
  set("columns", text === ofView()?.join() ? null : text);
}

export function widthOf(name: string, usual: number): number {
  return kept.value.widths[name] ?? usual;
}

/** Undefined: the usual one. */
export function setWidth(name: string, width: number | undefined): void {
  const { [name]: _, ...others } = kept.peek().widths;
  keep({ widths: width === undefined ? others : { ...others, [name]: width } });
}
