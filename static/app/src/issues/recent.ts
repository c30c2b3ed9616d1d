/** The issues that one looked at last, as this browser remembers them of each person. */
import { effect } from "@preact/signals";
import type { Issue } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { remember, remembered } from "../ui/remembered.ts";
import { here } from "../ui/router.ts";
import { open } from "./cursor.ts";

const MOST = 6;
/** Who goes down a list with an issue open beside it looked at those with which they stayed so long. */
const STAYS_MS = 1000;

const name = (): string => `kbwork.recent.${myId.peek()}`;

function ids(): number[] {
  return JSON.parse(remembered(name()) ?? "[]") as number[];
}

effect(() => {
  const id = open.value;
  if (id === undefined || !myId.value) return;
  if (here.peek().name === "issue") return note(id);
  const timer = setTimeout(note, STAYS_MS, id);
  return () => clearTimeout(timer);
});

function note(id: number): void {
  remember(name(), JSON.stringify([id, ...ids().filter((one) => one !== id)].slice(0, MOST)));
}

/** Newest first, without the one that is open. */
export function recent(): Issue[] {
  return ids().flatMap((id) => (id === open.peek() ? [] : (tables.issue.get(id) ?? [])));
}
