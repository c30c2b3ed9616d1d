/** What differs between two versions of a snapshot, and the new one made of it and the old. */
import { listOf, objectOf } from "../engine/parts.ts";
import { type Loose, own } from "../engine/values.ts";

/** So many follow each other, in memory and where they are kept; then the whole is asked for. */
export const MOST_DELTAS = 100;

/** The version of the environment that is told of. */
export function versionIn(data: unknown): unknown {
  return own(own(data, "environment"), "version");
}

/** The snapshot that a delta makes of its base, in which all that did not change is the same object. */
export function joined(data: Loose | undefined, delta: Loose): Loose {
  const base = own(delta, "base");
  if (own(base, "edition") !== own(data, "edition") || own(base, "version") !== versionIn(data)) throw new Error("it is of another base");
  return { ...data, ...delta, flags: part("flags"), segments: part("segments") };

  function part(name: string): Loose {
    const found: Record<string, unknown> = { ...objectOf(own(data, name)), ...objectOf(own(delta, name)) };
    for (const key of listOf(objectOf(own(delta, "removed")), name)) delete found[key as string];
    return found;
  }
}
