/** Writes of the room: sent once, told to the screens, and what is refused is said where it arose. */
import { useRef, useState } from "preact/hooks";
import { Problem, type Flag } from "@kbwork/client";
import { server } from "../store/server.ts";
import { Wish } from "../store/wish.ts";
import { say } from "../ui/notes.tsx";
import { changed, told } from "./asked.ts";
import { learnFlag } from "./catalogue.ts";
import type { Instruction } from "./model.ts";
import { t } from "./texts.ts";

/** Do it, and have the screens ask anew. The refusal is raised as it came. */
export async function done<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    changed();
  }
}

/** The same where there is no field to say at what is wrong: a note does. */
export async function tried<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await done(work);
  } catch (error) {
    say(told(error));
    return undefined;
  }
}

/** What a form or a button makes: once, if it is pressed twice, and not once more where the first one had no answer.
 *  `what` tells apart what several buttons make. */
export function useOnce() {
  const [busy, setBusy] = useState(false);
  const wishes = useRef(new Map<string, Wish>());
  const once = async <T>(work: (wish: Wish) => Promise<T>, what = ""): Promise<T> => {
    const wish = wishes.current.get(what) ?? new Wish();
    wishes.current.set(what, wish);
    setBusy(true);
    try {
      const made = await work(wish);
      wishes.current.delete(what);
      return made;
    } catch (error) {
      wish.refused(error);
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { busy, once };
}

/** What moved meanwhile, where that is why it was refused. */
export function movedTo(error: unknown): Flag | undefined {
  return error instanceof Problem && error.slug === "stale" ? (error.document["current"] as Flag | undefined) : undefined;
}

/** Switch a flag where nobody has to be asked, with the way back. */
export async function turn(flag: Pick<Flag, "project" | "key">, environment: string, on: boolean): Promise<void> {
  const instructions: Instruction[] = [{ kind: on ? "turnFlagOn" : "turnFlagOff" }];
  const made = await tried(server.flags.update({ project: flag.project, key: flag.key, environment, instructions }));
  if (!made) return;
  learnFlag(made.flag);
  if (made.outcome === "changeRequest") return say(t.waitsForApproval);
  say(t.turned(flag.key, environment, on), made.outcome === "applied" ? { title: t.undo, run: () => void turn(flag, environment, !on) } : undefined);
}
