/** Which issues press most: the order of a list as usual, and the one in which they are kept on the disk. */
import type { Issue, Priority } from "./kinds.ts";

export type Comparison = (one: Issue, other: Issue) => number;

const WEIGHTS: Readonly<Record<Priority, number>> = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 };

export const byWeight: Comparison = (one, other) => WEIGHTS[one.priority] - WEIGHTS[other.priority];
export const byDue: Comparison = (one, other) => byText(one.due_date ?? "9", other.due_date ?? "9");

/** The most pressing first, then what is due first, then what was touched last. */
export const byPressure: Comparison = (one, other) =>
  byWeight(other, one) || byDue(one, other) || other.updated_at - one.updated_at || one.id - other.id;

/** By the numbers of the signs: for what people do not read. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
