/** The words of the dialogs about queries. */
import { number } from "../ui/texts.ts";

export const words = {
  query: "Query",
  queryWhat: "What is asked for, as text. Ctrl+Space completes, Enter shows.",
  show: "Show",
  manual: "The query language",
  finds: (count: number) => `Finds ${number(count)} ${count === 1 ? "issue" : "issues"}.`,
  instead: (text: string) => `Write “${text}”`,
  expected: (some: readonly string[]) => `Could stand there: ${some.join(", ")}`,
  why: "Why is an issue in it, or not?",
  whyKey: "Key of the issue",
  holds: "holds",
  fails: "does not hold",
  isIn: (key: string) => `${key} is in it.`,
  isOut: (key: string) => `${key} is not in it:`,
  noAnswer: "The server does not answer, which has to read the query.",
  saveNew: "Save as a new view",
  saveThis: (name: string) => `Save in “${name}”`,
  name: "Name",
  namePlaceholder: "What waits for me",
  shared: "Everybody sees it",
  sharedWhat: "Each finds what they see themselves.",
  onProject: (name: string) => `On ${name}: its members see it and keep it`,
  saved: (name: string) => `Saved “${name}”`,
  save: "Save view",
} as const;
