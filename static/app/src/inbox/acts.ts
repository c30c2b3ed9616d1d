/** What is done with an entry of the inbox that asks a question first. */
import type { Notification } from "@kbwork/client";
import { act } from "../issue/act.ts";
import { choose } from "../issues/asked.ts";
import { nowMs, today } from "../store/clock.ts";
import { tables } from "../store/tables.ts";
import { say } from "../ui/notes.tsx";
import { archive, load, snooze } from "./entries.ts";
import { REASONS, type Reason, SNOOZES } from "./reasons.ts";
import { words } from "./texts.ts";

export function setDone(entry: Notification): void {
  void archive(entry);
}

const MORNING = 8;

/** In the person's own zone. */
function morning(days: number): number {
  const date = today();
  date.setDate(date.getDate() + days);
  date.setHours(MORNING, 0, 0, 0);
  return Math.floor(date.getTime() / 1000);
}

export function askSnooze(entry: Notification, at: Element): void {
  const { hours, tomorrow, monday, week } = SNOOZES;
  const times: readonly (readonly [string, () => number])[] = [
    [hours, () => Math.floor(nowMs() / 1000) + 3 * 3600],
    [tomorrow, () => morning(1)],
    [monday, () => morning((8 - today().getDay()) % 7 || 7)],
    [week, () => morning(7)],
  ];
  const options = times.map(([title, until]) => ({ title, run: () => void snooze(entry, until()) }));
  choose({ label: words.snooze, at, options });
}

/** Less of the kind: of this issue, of its project, or for this reason. */
export function askMute(entry: Notification, at: Element): void {
  const [kind, ref] = entry.subject.split(":");
  const issue = kind === "issue" ? tables.issue.get(Number(ref)) : undefined;
  const project = issue && tables.project.get(issue.project);
  const mute = (title: string, subject: string) => ({
    title,
    run: () => void act(title, "notifications.mute", { subject, on: true }).then((done) => done && heard()),
  });
  const options = [
    ...(issue ? [mute(words.muteIssue(issue.title), entry.subject)] : []),
    ...(project ? [mute(words.muteProject(project.name), `project:${project.key}`)] : []),
    { title: words.muteReason(REASONS[entry.reason as Reason]), run: () => void muteReason(entry.reason) },
  ];
  choose({ label: words.mute, at, options });
}

async function muteReason(reason: string): Promise<void> {
  if (await act(words.mute, "notifications.settings_set", { channels: { [reason]: [] } })) heard();
}

function heard(): void {
  say(words.muted);
  void load();
}
