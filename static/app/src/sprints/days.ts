/** Days of the calendar, `YYYY-MM-DD`, as numbers apart. */

const DAY_MS = 86_400_000;

/** Less than none where the second one is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** So many days after one. */
export function after(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
