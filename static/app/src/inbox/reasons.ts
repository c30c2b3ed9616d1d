/** Why entries come and until when they are put off, in the words of the app and of the editor. */
export type Reason =
  | "approval" | "assigned" | "mentioned" | "replied" | "invited" | "shared" | "agent" | "due" | "sla" | "rule" | "report" | "watching";

/** Why an entry came, to be read behind "because". */
export const REASONS: Readonly<Record<Reason, string>> = {
  approval: "you are asked to approve",
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

export const SNOOZES = { hours: "In three hours", tomorrow: "Tomorrow morning", monday: "Next Monday", week: "In a week" } as const;
