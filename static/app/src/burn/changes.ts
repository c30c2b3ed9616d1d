/** What came into a sprint on a day and what left it, gathered by who did it, as it is told where the day is looked at. */
import type { SprintDay } from "@kbwork/client";

/** What one person put in, or took out, on a day. */
export interface Gathered {
  /** Undefined: nobody knows any more. */
  readonly by: string | undefined;
  readonly added: boolean;
  readonly issues: readonly { readonly key: string; readonly title: string; readonly size: number }[];
}

/** In the order in which each of them began. */
export function gathered({ changes }: SprintDay): Gathered[] {
  const found = new Map<string, { by: string | undefined; added: boolean; issues: { key: string; title: string; size: number }[] }>();
  for (const { by, added, key, title, size } of changes) {
    const name = `${added} ${by}`;
    const one = found.get(name) ?? { by: by ?? undefined, added, issues: [] };
    found.set(name, one);
    one.issues.push({ key, title, size });
  }
  return [...found.values()];
}

export function hasChanges({ changes, more, hidden }: SprintDay): boolean {
  return changes.length + more + hidden > 0;
}

/** How much more there is on a day than on the one before; on the first one, than was planned. */
export function grownBy(days: readonly SprintDay[], at: number): number {
  const { scope, changes } = days[at]!;
  const by = at > 0 ? scope - days[at - 1]!.scope : changes.reduce((all, { added, size }) => all + (added ? size : -size), 0);
  return Math.round(by * 1e4) / 1e4;
}
