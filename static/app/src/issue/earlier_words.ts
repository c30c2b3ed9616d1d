/** The words of what an issue said before: they come with it. */

export const earlierWords = {
  title: "What it said before",
  which: "As it was written by",
  by: (who: string, at: string) => `${who}, ${at}. What went since is struck out, what came is marked.`,
  since: "What changed since",
  same: "The description is the same as now.",
  none: "Nobody wrote over it yet.",
  restore: "Bring it back",
  restored: (key: string) => `Text of ${key} brought back`,
} as const;
