/** What is done with pages and spaces: said, shown, and taken back by a word at the edge of the screen. */
import type { In, Name } from "@kbwork/client";
import { act } from "../issue/act.ts";
import { undo } from "../store/changes.ts";
import { say } from "../ui/notes.tsx";
import { moved } from "./known.ts";
import { words } from "./texts.ts";

/**
 * Do it and say so, with the way back. Answers what the server said; undefined: it did not go, which was said. `leave`:
 * go away from what is there no more, before it is asked for again.
 */
export async function done<K extends Name>(said: string, op: K, input: In<K>, leave?: () => void) {
  const told = await act(said, op, input);
  if (told === undefined) return undefined;
  leave?.();
  moved.value++;
  say(said, { title: words.undo, run: () => void takeBack() });
  return told;
}

/** As `done`, of what shows by itself and can be turned back where it was done. */
export async function quietly<K extends Name>(said: string, op: K, input: In<K>) {
  const told = await act(said, op, input);
  if (told !== undefined) moved.value++;
  return told;
}

/** The last change, whatever it was. */
export async function takeBack(): Promise<void> {
  try {
    const what = await undo();
    if (what) say(words.tookBack(what));
  } catch (error) {
    say((error as Error).message);
  }
  moved.value++;
}
