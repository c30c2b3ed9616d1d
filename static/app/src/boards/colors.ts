/** What colours a card: a field of which an issue has one value, or a first one. */
import type { Column } from "../layouts/columns.tsx";
import { valueOf } from "../layouts/own_values.ts";
import type { Category, Issue, Priority } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";

const COLOURING: readonly string[] = ["status", "priority", "assignee", "label", "type", "sprint", "component", "project", "reporter"];
const OWN: readonly string[] = ["select", "member", "bool", "rating", "team"];
const PRIORITIES: Readonly<Record<Priority, string | undefined>> = { urgent: "var(--failed)", high: "var(--warn-mark)", medium: "var(--accent)", low: "var(--meta)", none: undefined };
const CATEGORIES: Readonly<Record<Category, string>> = { triage: "var(--warn-mark)", todo: "var(--todo)", in_progress: "var(--doing)", done: "var(--done)" };
const HUES = 12;

export const isColouring = ({ name, own }: Column): boolean => (own ? OWN.includes(own.kind) : COLOURING.includes(name));

/** Undefined: there is nothing that would colour it. */
export function colorOf(issue: Issue, column: Column): string | undefined {
  const { name, own } = column;
  if (name === "priority") return PRIORITIES[issue.priority];
  if (name === "status") return CATEGORIES[tables.lane.watch(issue.lane)?.category ?? "todo"];
  if (name === "label") return tables.label.watch(issue.labels[0] ?? -1)?.color;
  const value = own && valueOf(issue, own);
  const option = own?.options.find((one) => one.name === value);
  if (option) return option.color;
  const text = column.text(issue);
  return text ? `oklch(0.66 0.13 ${hueOf(text)})` : undefined;
}

/** The same of the same words, wherever they stand. */
function hueOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % HUES;
  return (sum * 360) / HUES;
}
