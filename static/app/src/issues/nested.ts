/** Things under heads, and under heads within these, as rows below each other. */

interface Group<H, T> {
  readonly head: H;
  readonly members: readonly T[];
}

/** What is grouped by. */
export interface Split<H, T> {
  readonly name: string;
  /** In the order in which they stand; none of them is empty. */
  readonly groups: (things: readonly T[]) => readonly Group<H, T>[];
}

export interface HeadOf<H> {
  readonly head: H;
  /** The head of the group that this one is in; undefined: it is in none. */
  readonly within: H | undefined;
  /** Which group it is, whatever stands in it and wherever. */
  readonly path: string;
  readonly count: number;
  /** Its head alone stands there. */
  readonly folded: boolean;
}

interface How<H, T, R> {
  /** From the outside in. */
  readonly splits: readonly Split<H, T>[];
  readonly inOrder: (things: readonly T[]) => readonly T[];
  readonly rowOf: (thing: T) => R;
  readonly isFolded: (path: string) => boolean;
}

export function nested<H extends { readonly key: string }, T, R>(things: readonly T[], { splits, inOrder, rowOf, isFolded }: How<H, T, R>): (HeadOf<H> | R)[] {
  const rows: (HeadOf<H> | R)[] = [];
  const lay = (some: readonly T[], depth: number, within: H | undefined, before: string): void => {
    const split = splits[depth];
    if (!split) {
      for (const thing of inOrder(some)) rows.push(rowOf(thing));
      return;
    }
    for (const { head, members } of split.groups(some)) {
      const path = `${before}${split.name}:${head.key}`;
      const folded = isFolded(path);
      rows.push({ head, within, path, count: members.length, folded });
      if (!folded) lay(members, depth + 1, head, `${path}/`);
    }
  };
  lay(things, 0, undefined, "");
  return rows;
}
