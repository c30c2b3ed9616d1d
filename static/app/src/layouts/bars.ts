/** Where the bars of a timeline stand: from where an issue starts to when it is due. */
import { computed, signal } from "@preact/signals";
import { rows } from "../issues/query.ts";
import { daysBetween } from "../sprints/days.ts";
import type { Issue } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { dayFromNow } from "../ui/texts.ts";
import { monthAfter } from "./days.ts";

export const ZOOMS = ["days", "weeks", "months"] as const;
export type Zoom = (typeof ZOOMS)[number];
/** How wide a day is, in pixels. */
export const DAY_PX: Readonly<Record<Zoom, number>> = { days: 34, weeks: 14, months: 5 };
/** Months before the first day that an issue has, and behind the last. */
const [BEFORE, BEHIND] = [1, 3];
/** Whoever meant another century is shown what is near. */
const MOST_MONTHS = 60;

export const zoom = signal<Zoom>("weeks");

export interface Bar {
  readonly from: string;
  readonly to: string;
}

/** What a bar would become that is dragged. */
export const drawn = signal<(Bar & { readonly id: number }) | undefined>(undefined);

/** The days from which and to which bars are shown, and whether there is any. */
export const range = computed<Bar & { readonly any: boolean }>(() => {
  let [from, to, any] = [dayFromNow(0), dayFromNow(0), false];
  void tables.issue.moved.value;
  for (const row of rows.value) {
    const bar = "issue" in row ? barOf(tables.issue.get(row.issue)) : undefined;
    if (!bar) continue;
    any = true;
    if (bar.from < from) from = bar.from;
    if (bar.to > to) to = bar.to;
  }
  const least = monthAfter(dayFromNow(0), -MOST_MONTHS);
  const most = monthAfter(dayFromNow(0), MOST_MONTHS);
  return { from: later(monthAfter(from, -BEFORE), least), to: earlier(monthAfter(to, BEHIND), most), any };
});

export const later = (one: string, other: string): string => (one > other ? one : other);
export const earlier = (one: string, other: string): string => (one < other ? one : other);

/** One that has one of the two is a day long. */
export function barOf(issue: Issue | undefined): Bar | undefined {
  const { start_date: start, due_date: due } = issue ?? {};
  const from = start ?? due;
  return from ? { from, to: due && due >= from ? due : from } : undefined;
}

export const xOf = (date: string): number => daysBetween(range.value.from, date) * DAY_PX[zoom.value];

/** In pixels: a day is there to its end. */
export function widthOf({ from, to }: Bar): number {
  return (daysBetween(from, to) + 1) * DAY_PX[zoom.value];
}
