/** When what is left would be done, at the paces of the sprints before: a range, since no two of them were alike. */
import type { Sprint, SprintDay } from "@kbwork/client";
import { after } from "../sprints/days.ts";

const DAY_S = 86_400;
/** Of one pace there is no range. */
const LEAST = 2;
/** What is further away nobody plans by. */
const MOST_DAYS = 730;

export interface Forecast {
  /** Days behind the last one that is told. */
  readonly days: Readonly<Record<Case, number>>;
  readonly dates: Readonly<Record<Case, string>>;
}

export type Case = "earliest" | "likely" | "latest";

/** `before`: what is done of the same team or project. Undefined: there is nothing left, or too little to tell it by. */
export function forecastOf(told: readonly SprintDay[], before: readonly Sprint[], byPoints: boolean): Forecast | undefined {
  const last = told.at(-1);
  const paces = before.flatMap((one) => paceOf(one, byPoints) ?? []).sort((one, other) => other - one);
  if (!last || last.left <= 0 || paces.length < LEAST) return undefined;
  const middle = paces.length / 2;
  const median = Number.isInteger(middle) ? (paces[middle - 1]! + paces[middle]!) / 2 : paces[Math.floor(middle)]!;
  const until = (pace: number): number => Math.min(MOST_DAYS, Math.max(1, Math.ceil(last.left / pace)));
  const days = { earliest: until(paces[0]!), likely: until(median), latest: until(paces.at(-1)!) };
  const on = (count: number): string => after(last.date, count);
  return { days, dates: { earliest: on(days.earliest), likely: on(days.likely), latest: on(days.latest) } };
}

/** How much a day of it got done; undefined: nothing, or nobody knows. */
function paceOf({ started_at, completed_at, counts }: Sprint, byPoints: boolean): number | undefined {
  const done = byPoints ? counts.estimate_done : counts.done;
  if (started_at === null || completed_at === null || done <= 0) return undefined;
  return done / Math.max(1, Math.round((completed_at - started_at) / DAY_S));
}
