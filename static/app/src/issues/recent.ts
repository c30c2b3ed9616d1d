/** The issues that one looked at last, as this browser remembers them of each person. */
import { effect, untracked } from "@preact/signals";
import type { Issue } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { remember, remembered } from "../ui/remembered.ts";
import { here } from "../ui/router.ts";
import { byKey, openKey } from "./cursor.ts";

const MOST = 6;
/** Who goes down a list with an issue open beside it looked at those with which they stayed so long. */
const STAYS_MS = 1000;

const name = (): string => `kbwork.recent.${myId.peek()}`;

function keys(): string[] {
  return JSON.parse(remembered(name()) ?? "[]") as string[];
}

effect(() => {
  const key = openKey.value;
  if (!key || !myId.value) return;
  if (here.peek().name === "issue") return note(key);
  const timer = setTimeout(note, STAYS_MS, key);
  return () => clearTimeout(timer);
});

function note(key: string): void {
  remember(name(), JSON.stringify([key, ...keys().filter((one) => one !== key)].slice(0, MOST)));
}

/** Newest first, without the one that is open. */
export function recent(): Issue[] {
  return untracked(() => keys().flatMap((key) => (key === openKey.value ? [] : (tables.issue.get(byKey(key) ?? -1) ?? []))));
}
