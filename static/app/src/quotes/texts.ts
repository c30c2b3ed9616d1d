/** The words of comments on words. */

export const words = {
  commentOnThis: "Comment on this",
  selectFirst: "Select the words first that you want to say something about.",
  toThread: "To what was said about these words",
  saidOn: (who: string, quote: string) => `${who} on “${quote}”`,
  remarks: "Comments on words",
  on: "On:",
  quote: (quote: string) => `“${quote}”`,
  lead: "Show where these words stand",
  gone: "These words are not in the text any more.",
  drop: "Say it about the whole",
} as const;
