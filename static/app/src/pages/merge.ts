/** Two changes of one text that each touch one place of it, brought together. */
import { changeOf } from "../ui/change.ts";

/** Undefined where they touch. */
export function merged(base: string, theirs: string, mine: string): string | undefined {
  if (theirs === base || theirs === mine) return mine;
  if (mine === base) return theirs;
  const [one, other] = [changeOf(base, theirs), changeOf(base, mine)].sort((first, second) => first.from - second.from);
  if (one!.to > other!.from || one!.from === other!.from) return undefined;
  return base.slice(0, one!.from) + one!.text + base.slice(one!.to, other!.from) + other!.text + base.slice(other!.to);
}
