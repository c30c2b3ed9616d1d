/** What is written and not sent, for as long as its tab is open: nobody else who signs in there finds it. */
import { myId } from "./session.ts";

const PREFIX = "kbwork.draft.";

const nameOf = (name: string): string => `${PREFIX}${myId.peek()}.${name}`;

export function draftOf(name: string): string {
  return sessionStorage.getItem(nameOf(name)) ?? "";
}

/** Nothing: it was sent, or thrown away. */
export function keepDraft(name: string, text: string): void {
  if (text) sessionStorage.setItem(nameOf(name), text);
  else sessionStorage.removeItem(nameOf(name));
}

export function dropDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
}
