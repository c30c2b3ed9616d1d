/** Readers of the parts of a flag or a segment as they are stored. Broken ones throw BROKEN when they are reached. */
import { USER } from "./contexts.ts";
import { type Path, path } from "./references.ts";
import { isObject, type Loose, own } from "./values.ts";

/** Thrown by what was reached and cannot be evaluated. */
export const BROKEN = Symbol("malformed");

export const KEY: Path = ["key"];

export function broken(): never {
  throw BROKEN;
}

/** Whether a flag can be asked for: it is there, not archived, and not just what another one rests on. */
export function isThere(flag: unknown): boolean {
  return flag !== undefined && own(flag, "archived") !== true && own(flag, "hidden") !== true;
}

export function objectOf(value: unknown): Loose {
  return isObject(value) ? value : broken();
}

/** A list of an object; none is an empty one. */
export function listOf(owner: Loose, name: string): readonly unknown[] {
  const found = own(owner, name) ?? [];
  return Array.isArray(found) ? found : broken();
}

/** What is hoped to be a list, which is nothing where it is none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member that should be text, or what stands for it where it is none. */
export function textOf<T>(owner: unknown, name: string, other: T): string | T {
  const found = own(owner, name);
  return typeof found === "string" ? found : other;
}

/** A kind of context as it is named; none is `user`. No context has one that is not text. */
export function kindOf(owner: Loose, name = "contextKind"): unknown {
  return own(owner, name) ?? USER;
}

export function weightOf(part: Loose): number {
  const weight = own(part, "weight");
  return typeof weight === "number" ? weight : broken();
}

/** Where the attribute stands that a rollout goes by; none is the key. */
export function bucketPath(owner: Loose): Path {
  const by = own(owner, "bucketBy");
  return (by === undefined ? KEY : path(by)) ?? broken();
}

/** Index and value of a variation of a flag. */
export function variationOf(flag: Loose, place: unknown): readonly [number, unknown] {
  const all = listOf(flag, "variations");
  const found = Number.isInteger(place) ? all[place as number] : undefined;
  return [(place as number) + 0, own(objectOf(found), "value") ?? null];
}
