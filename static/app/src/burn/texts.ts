/** The words of how sprints go. */
import { daysBetween } from "../sprints/days.ts";
import { day, number, precisely } from "../ui/texts.ts";
import type { Case } from "./forecast.ts";

const days = (count: number): string => (count === 1 ? "1 day" : `${number(count)} days`);
const issues = (count: number): string => (count === 1 ? "1 issue" : `${number(count)} issues`);

export const words = {
  report: "How the sprint goes",
  ways: { down: "Burn-down", up: "Burn-up" },
  noDays: "It did not start yet: its days are drawn from then on.",
  left: "Left",
  ideal: "If as much got done each day",
  scope: "All that is in it",
  done: "Done",
  forecast: "At the pace of the sprints before",
  cases: {
    earliest: (date: string) => `At the best pace: ${date}`,
    likely: (date: string) => `At the usual pace: ${date}`,
    latest: (date: string) => `At the slowest pace: ${date}`,
  } satisfies Record<Case, (date: string) => string>,
  ahead: ({ earliest, likely, latest }: Readonly<Record<Case, string>>, end: string | null) => {
    const late = end ? daysBetween(end, likely) : 0;
    const found = earliest === latest ? `All is done on ${day(likely)}` : `All is done between ${day(earliest)} and ${day(latest)}, most likely on ${day(likely)}`;
    return `${found}, at the pace of the sprints before${late > 0 ? `: ${days(late)} after the sprint ends` : ""}.`;
  },
  day: "Day",
  points: "points",
  issues: "issues",
  drawn: (way: string, unit: string, left: string, scope: string) => `${way} in ${unit}: ${left} of ${scope} left. The table below says the same.`,
  walk: "Day by day",
  stands: (left: number, scope: number, by: number) => `${precisely(left)} of ${precisely(scope)} left${by ? `, ${by > 0 ? "+" : "−"}${precisely(Math.abs(by))}` : ""}`,
  did: (name: string | undefined, added: boolean) => `${name ?? "Somebody"} ${added ? "put in" : "took out"}`,
  moreChanges: (count: number) => `${number(count)} more ${count === 1 ? "change" : "changes"}`,
  hiddenChanges: (count: number) => `${number(count)} ${count === 1 ? "change" : "changes"} of issues that you do not see`,
  changes: "Came in and went out",
  table: "As a table",
  kept: (part: number) => `${Math.round(part * 100)} % of what was planned got done`,
  cameIn: (count: number) => `${issues(count)} came in since it started:`,
  wentOut: (count: number) => `${issues(count)} went out since it started:`,
  velocity: "The sprints before",
  noVelocity: "No sprint of the same team or project is done yet.",
  sprint: "Sprint",
  held: "In it at its end",
  added: "Came in",
  removed: "Went out",
  mean: (value: number, unit: string) => `${precisely(Math.round(value * 10) / 10)} ${unit} got done on average.`,
  bars: (unit: string, all: readonly string[]) => `What got done, in ${unit}: ${all.join("; ")}`,
  ofAll: (name: string, done: number, all: number) => `${name}: ${precisely(done)} of ${precisely(all)}`,
  capacity: "Who can do how much",
  capacityWhat: "In hours or points, as you estimate. What somebody leads in the sprint stands beside it.",
  capacityOf: (name: string) => `How much ${name} can do`,
  planned: (amount: number) => `${precisely(amount)} planned`,
  over: (amount: number) => `${precisely(amount)} too much`,
  absent: (count: number) => `away on ${days(count)}`,
  add: "Add somebody…",
  saveCapacity: "Save who can do how much",
  saved: "Saved",
} as const;
