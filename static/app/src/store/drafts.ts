/** What is written and not sent, for as long as its tab is open: nobody else who signs in there finds it. */
import { signal } from "@preact/signals";
import { myId } from "./session.ts";

const PREFIX = "kbwork.draft.";
/** Moves with the words that are to be spoken about: they are chosen elsewhere than where one writes. */
const quotes = signal(0);

const nameOf = (name: string): string => `${PREFIX}${myId.peek()}.${name}`;

export function draftOf(name: string): string {
  return sessionStorage.getItem(nameOf(name)) ?? "";
}

/** Nothing: it was sent, or thrown away. */
export function keepDraft(name: string, text: string): void {
  if (text) sessionStorage.setItem(nameOf(name), text);
  else sessionStorage.removeItem(nameOf(name));
}

/** It was sent as it stands there. Answers what is left to send: what was written on meanwhile is kept. */
export function dropSent(name: string, text: string): string {
  if (draftOf(name) === text) keepDraft(name, "");
  return draftOf(name);
}

const nameOfQuote = (draft: string): string => `comment.${draft}.anchor`;

/** The words that the next comment on something is about, as the server keeps them; empty: it is about the whole. */
export function quotedOf(draft: string): string {
  return quotes.value < 0 ? "" : draftOf(nameOfQuote(draft));
}

export function quote(draft: string, anchor: string): void {
  keepDraft(nameOfQuote(draft), anchor);
  quotes.value++;
}

export function dropDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
}
