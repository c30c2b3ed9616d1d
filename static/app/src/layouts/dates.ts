/** Giving issues days by dragging them, or by keys: shown at once, sent and taken back as each change of a field is. */
import type { In } from "@kbwork/client";
import { FIELDS } from "../issues/edits.ts";
import { targets } from "../issues/cursor.ts";
import { change } from "../store/changes.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { random } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { after } from "../sprints/days.ts";
import { spoken } from "../ui/spoken.ts";
import { day, dayFromNow, t } from "../ui/texts.ts";
import { words } from "./texts.ts";

/** Empty: none; left out: it stays as it is. */
export interface Dates {
  readonly start?: string;
  readonly due?: string;
}

/** `group`: of what else is done with it. `seq`: up to which event it was known what the days were. */
export function setDates(issue: Issue, { start, due }: Dates, { group = random(), seq = place.seq } = {}): void {
  const over: { start_date?: string | null; due_date?: string | null } = {};
  const told: { start_date?: string; due_date?: string } = {};
  if (start !== undefined && start !== (issue.start_date ?? "")) [over.start_date, told.start_date] = [start || null, start];
  if (due !== undefined && due !== (issue.due_date ?? "")) [over.due_date, told.due_date] = [due || null, due];
  const changed = [told.start_date, told.due_date].filter((one) => one !== undefined);
  if (!changed.length) return;
  const field = changed.length > 1 ? words.dates : told.due_date === undefined ? FIELDS.start : FIELDS.due;
  const input: In<"issues.update"> = { key: issue.key, ...told };
  change(issue, t.changed(field, issue.key), over, "issues.update", input, group, seq);
  spoken.value = `${issue.key}: ${[changed[0], changed.at(-1)].map((one) => (one ? day(one) : t.noDate)).join(" – ")}`;
}

/** The day by which one looks for an issue: when it is due, else when it starts. */
export function dayOf(issue: Issue): string | undefined {
  return issue.due_date ?? issue.start_date ?? undefined;
}

/** What keys act on gets other days; what has none yet gets today's. Answers where the first of them is then. */
export function shift(by: (issue: Issue) => Dates): string | undefined {
  const group = random();
  const found = targets().flatMap((id) => tables.issue.get(id) ?? []);
  for (const issue of found) setDates(issue, dayOf(issue) === undefined ? { due: dayFromNow(0) } : by(issue), { group });
  const first = tables.issue.get(found[0]?.id ?? -1);
  return first && dayOf(first);
}

/** The day by which one looks for it, so many days later, or earlier. */
export function dayLater({ start_date, due_date }: Issue, days: number): Dates {
  return due_date ? { due: after(due_date, days) } : { start: after(start_date!, days) };
}

/** Both of its days. */
export function bothLater({ start_date, due_date }: Issue, days: number): Dates {
  return { ...(start_date && { start: after(start_date, days) }), ...(due_date && { due: after(due_date, days) }) };
}
