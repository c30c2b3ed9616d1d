/** Days of the calendar, `YYYY-MM-DD`, by weeks and months as people have them where they live. */
import { after } from "../sprints/days.ts";

const LANGUAGE = navigator.language;
const DAYS = 7;
const MONDAY = 1;

/** What newer browsers know of a language. */
interface Weeks {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** The first day of the week, 1 is Monday. */
const first = ((): number => {
  const locale = new Intl.Locale(LANGUAGE) as Intl.Locale & Weeks;
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? MONDAY;
})();

/** At noon, so that no change of the clock makes it another day. */
function dateOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

const formats = {
  weekday: new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(LANGUAGE, { month: "long", year: "numeric", timeZone: "UTC" }),
  shortMonth: new Intl.DateTimeFormat(LANGUAGE, { month: "short", timeZone: "UTC" }),
  year: new Intl.DateTimeFormat(LANGUAGE, { year: "numeric", timeZone: "UTC" }),
  number: new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", timeZone: "UTC" }),
  whole: new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }),
  span: new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
} as const;

export function named(day: string, as: keyof typeof formats): string {
  return formats[as].format(dateOf(day));
}

/** From one day to another, with what they share said once. */
export function spanOf(from: string, to: string): string {
  return formats.span.formatRange(dateOf(from), dateOf(to));
}

export function weekOf(day: string): string {
  const weekday = dateOf(day).getUTCDay(); // 0 is Sunday, as 7 is
  return after(day, -((weekday - first + DAYS) % DAYS));
}

export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The first day of the month so many months later. */
export function monthAfter(day: string, months: number): string {
  const date = dateOf(monthOf(day));
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

/** So many days in a row. */
export function daysFrom(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => after(day, at));
}

/** The weeks that have a day of the month, each by its days. */
export function weeksOf(month: string): string[][] {
  const end = monthAfter(month, 1);
  const weeks: string[][] = [];
  for (let day = weekOf(monthOf(month)); day < end; day = after(day, DAYS)) weeks.push(daysFrom(day, DAYS));
  return weeks;
}

export function isWeekend(day: string): boolean {
  return [0, 6].includes(dateOf(day).getUTCDay());
}
