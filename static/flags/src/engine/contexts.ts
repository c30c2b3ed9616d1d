/** Contexts: who or what a flag is evaluated for, looked through once for many flags. */
import type { Path } from "./references.ts";
import { isObject, type Loose, own, scalar, whole } from "./values.ts";

export const USER = "user";

const KIND = /^[A-Za-z0-9._-]+$/;
const REPLACED = "\ufffd";

/** A context, or whatever somebody gave as one: then it is not valid. It is read while flags are evaluated. */
export class Context {
  /** As it was given. */
  readonly _raw: unknown;
  readonly #parts: readonly Part[];
  /** Few have more than one kind, and most clauses ask for the first. */
  readonly #kind: string;
  readonly #part: Loose;
  readonly #others: ReadonlyMap<unknown, Loose> | undefined;
  readonly #hashes: Map<string, string> = NONE;

  constructor(raw: unknown, hashes?: Map<string, string>) {
    this._raw = raw;
    this.#parts = partsOf(raw);
    [this.#kind, this.#part] = this.#parts[0] ?? NOBODY;
    this.#others = this.#parts[1] && new Map(this.#parts);
    if (hashes) this.#hashes = hashes;
  }

  /** Of a raw context, with its keys as lists of a snapshot have them whose `keySalt` this is. */
  static async hashed(raw: unknown, salt: string): Promise<Context> {
    const hashes = new Map<string, string>();
    for (const [kind, part] of partsOf(raw)) hashes.set(kind, await hashOf(salt, kind, keyOf(part)!));
    return new Context(raw, hashes);
  }

  get isValid(): boolean {
    return this.#kind !== "";
  }

  /** Names of its kinds; empty where it is invalid. */
  get kinds(): readonly string[] {
    return this.#parts.map(([kind]) => kind);
  }

  /** The attributes of this kind; undefined where there is no such part. */
  part(kind: unknown): Loose | undefined {
    return kind === this.#kind ? this.#part : this.#others?.get(kind);
  }

  key(kind: unknown): string | undefined {
    const part = this.part(kind);
    return part === undefined ? undefined : keyOf(part);
  }

  /** The key as it stands in lists that are hashed; undefined where it was not hashed. */
  hash(kind: unknown): string | undefined {
    return this.#hashes.get(kind as string);
  }
}

type Part = readonly [kind: string, part: Loose];

const NONE: Map<string, string> = new Map();
const NOBODY: Part = ["", {}];

/** What lies there, or undefined. Only objects are walked into. */
export function attribute(part: Loose, at: Path): unknown {
  const name = at[0]!;
  if (name === "kind" || name === "_meta") return undefined;
  const plain = Object.hasOwn(part, name) && part[name];
  if (at.length === 1 && typeof plain === "string") return plain; // as most are
  let value = named(part, name);
  if (value === undefined) return at.length === 1 && name === "anonymous" ? false : undefined;
  for (let place = 1; place < at.length && value !== undefined; place++) value = named(value, at[place]!);
  return typeof value === "object" ? value : scalar(value);
}

/** A member by its name as it is cleaned: only a name with a sign that stands for half a character may be spelt otherwise. */
function named(holder: unknown, name: string): unknown {
  const found = own(holder, name);
  if (found !== undefined || !name.includes(REPLACED) || !isObject(holder)) return found;
  const spelt = Object.keys(holder).filter((one) => whole(one) === name).at(-1);
  return spelt === undefined ? undefined : own(holder, spelt);
}

function partsOf(raw: unknown): Part[] {
  if (!isObject(raw)) return [];
  const kind = own(raw, "kind") ?? USER;
  if (kind !== "multi") return isKind(kind) && keyOf(raw) !== undefined ? [[kind, raw]] : [];
  const found: Part[] = [];
  for (const name of Object.keys(raw)) {
    const part = own(raw, name);
    if (name === "kind" || part === undefined) continue;
    if (!isKind(name) || !isObject(part) || keyOf(part) === undefined) return [];
    found.push([name, part]);
  }
  return found;
}

export function isKind(kind: unknown): kind is string {
  return kind === USER || (typeof kind === "string" && kind !== "kind" && kind !== "multi" && KIND.test(kind));
}

function keyOf(part: Loose): string | undefined {
  const key = own(part, "key");
  return typeof key === "string" && key !== "" ? whole(key) : undefined;
}

/** A key as client-side snapshots list it: 132 bits of SHA-256. */
async function hashOf(salt: string, kind: string, key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt}.${kind}.${key}`));
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return text.slice(0, 22).replaceAll("+", "-").replaceAll("/", "_");
}
