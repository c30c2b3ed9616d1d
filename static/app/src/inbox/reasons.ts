/** Why entries come and until when they are put off, in the words of the app and of the editor. */
export type Reason =
  | "approval" | "assigned" | "mentioned" | "replied" | "invited" | "shared" | "agent" | "due" | "sla" | "rule" | "report" | "watching";

/** Why an entry came, to be read behind "because". */
export const REASONS: Readonly<Record<Reason, string>> = {
  approval: "an approval is asked of you, or by you",
  assigned: "it was given to you",
  mentioned: "you were mentioned",
  replied: "somebody answered you",
  invited: "you were added",
  shared: "it was shared with you",
  agent: "an agent of yours asks",
  due: "a date is near",
  sla: "a promised time is near",
  rule: "a rule says so",
  report: "a report came",
  watching: "you watch it",
};

/** What watches is not the same of each kind of thing. */
const WATCHED: Readonly<Record<string, string>> = {
  issue: "you watch it, or what it is part of",
  page: "you watch it, or wrote there",
  project: "you are in it",
  webhook: "you are an admin",
  org: "you are an admin",
};

interface Came<T extends { readonly kind: string } = { readonly kind: string }> {
  readonly reason: string;
  readonly subject: string;
  /** The latest first. */
  readonly events: readonly T[];
}

/** Kinds of events that things come for, by how they begin; where there is none, the latest says why. */
const COMES_BY: Readonly<Record<string, readonly string[]>> = {
  approval: ["approval.", "change."],
  assigned: ["issue.assigned"],
  mentioned: ["comment."],
  replied: ["comment."],
};

/** What of it one is told for: behind it others may have come that ask less. */
export function eventOf<T extends { readonly kind: string }>({ reason, events }: Came<T>): T | undefined {
  return events.find(({ kind }) => COMES_BY[reason]?.some((start) => kind.startsWith(start))) ?? events[0];
}

/** As `REASONS`, of one entry: who asked for an approval hears of it as who is asked does, and not for the same reason. */
export function whyOf({ reason, subject, events }: Came): string {
  if (reason === "approval") return events.some(({ kind }) => kind.endsWith(".requested")) ? "you are asked to approve" : "you asked for the approval";
  const watched = reason === "watching" ? WATCHED[subject.split(":")[0]!] : undefined;
  return watched ?? REASONS[reason as Reason] ?? reason;
}

export const SNOOZES = { hours: "In three hours", tomorrow: "Tomorrow morning", monday: "Next Monday", week: "In a week" } as const;
