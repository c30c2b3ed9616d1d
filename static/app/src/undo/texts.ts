/** The words of what one changed lately. */

export const words = {
  what: "Yours, and what your keys and agents did, of the last 24 hours. What you take back is a change as well.",
  nothing: "You changed nothing in the last 24 hours.",
  unsent: "Not sent yet: it can be taken back when it was.",
  takeBack: "Take back",
  takeBackWhat: (what: string) => `Take back: ${what}`,
  allTheSame: "All the same",
  allTheSameWhat: "Set back what was changed since, too",
  closer: "What stands against it",
  closerWhat: (what: string) => `What stands against taking back: ${what}`,
  isBack: "Taken back",
  stays: (what: string, why: string) => `${what} stays: ${why}`,
  more: "Show more",
  undoThis: "Undo this",
  wouldComeBack: "This would be taken back:",
  cameBack: "This was taken back:",
  ofWhat: (what: string, subject: string) => `${what}: ${subject}`,
  notMine: "This cannot be undone here: a change is taken back by whoever made it, within 24 hours.",
  tooOld: "This cannot be undone: it is older than 24 hours.",
  noChange: "This cannot be undone: it is no change that is kept for taking back.",
} as const;
