/** The words of a change of many issues. */
import { number } from "../ui/texts.ts";

const issues = (count: number): string => `${number(count)} ${count === 1 ? "issue" : "issues"}`;

export const words = {
  many: "Change many issues",
  looking: (count: number) => `Looking at what would change of ${issues(count)}…`,
  doing: (count: number) => `Changing ${issues(count)}…`,
  would: (count: number, all: number) => (count === all ? `${issues(count)} will change.` : `${number(count)} of ${issues(all)} will change.`),
  did: (count: number) => `${issues(count)} changed.`,
  stay: (count: number, reason: string) => `${issues(count)} ${count === 1 ? "stays" : "stay"}: ${reason}`,
  goesOn: "It takes long and goes on by itself: the list shows how far it is.",
  again: (count: number) => `Try ${issues(count)} again`,
  more: (count: number) => `and ${number(count)} more`,
  change: (count: number) => `Change ${issues(count)}`,
  set: (field: string, value: string) => `${field}: ${value}`,
  ofMany: (field: string) => `Change ${field} of all that are selected`,
  addLabel: (label: string) => `Add label ${label}`,
  removeLabel: (label: string) => `Remove label ${label}`,
} as const;
