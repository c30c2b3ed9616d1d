/** The words of what models propose. */

export const words = {
  proposals: "Proposed by a model",
  unchecked: "Nobody has checked it. Nothing is done before somebody applies it.",
  byRule: (rule: string) => `Asked for by the rule “${rule}”`,
  says: "Say",
  saysInternal: "Say to the team alone",
  removed: "removed",
  added: "added",
  nothing: "nothing",
  runs: (title: string) => `Run: ${title}`,
  answered: "What the model answered",
  sameAs: "It stands so already.",
  failed: (why: string) => `It was applied, and did not go: ${why}`,
  apply: "Apply",
  again: "Apply again",
  dismiss: "Dismiss",
  applied: (key: string) => `Applied to ${key}`,
  dismissed: (key: string) => `Dismissed for ${key}`,
} as const;
