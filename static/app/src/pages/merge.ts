/** Two changes of one text that each touch one place of it, brought together. */

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Where two texts differ, from their first to their last difference. */
function changeOf(base: string, next: string): Change {
  let from = 0;
  const shorter = Math.min(base.length, next.length);
  while (from < shorter && base[from] === next[from]) from++;
  let behind = 0;
  while (behind < shorter - from && base[base.length - 1 - behind] === next[next.length - 1 - behind]) behind++;
  return { from, to: base.length - behind, text: next.slice(from, next.length - behind) };
}

/** Undefined where they touch. */
export function merged(base: string, theirs: string, mine: string): string | undefined {
  if (theirs === base || theirs === mine) return mine;
  if (mine === base) return theirs;
  const [one, other] = [changeOf(base, theirs), changeOf(base, mine)].sort((first, second) => first.from - second.from);
  if (one!.to > other!.from || one!.from === other!.from) return undefined;
  return base.slice(0, one!.from) + one!.text + base.slice(one!.to, other!.from) + other!.text + base.slice(other!.to);
}
