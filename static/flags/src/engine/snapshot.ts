/** A snapshot of an environment: immutable data, and what its flags become when they are first asked for. */
import { compiler } from "./compile.ts";
import type { Context } from "./contexts.ts";
import { BAD_CONTEXT, type Detail, NOT_FOUND } from "./details.ts";
import type { Operators } from "./operators.ts";
import { isThere, textOf } from "./parts.ts";
import { isObject, type Loose, own, read } from "./values.ts";

/**
 * Flags and segments of one moment. Nothing in it changes; a change is a new snapshot.
 *
 * `data` has `flags` and `segments`, each an object by key, and where lists of keys are hashed `keySalt`. It is taken as
 * it is: give it only what `Snapshot.parse` or `JSON.parse` has read.
 */
export class Flags {
  /** Contexts of a snapshot that has one are made by `Context.hashed`. */
  readonly keySalt: string | undefined;
  readonly _flags: Loose;
  readonly #compile: (key: string) => (context: Context) => Detail;
  readonly #made = new Map<string, (context: Context) => Detail>();

  constructor(data: unknown, operators: Operators) {
    this.keySalt = textOf(data, "keySalt", undefined);
    this._flags = part(data, "flags");
    this.#compile = compiler(this._flags, part(data, "segments"), this.keySalt !== undefined, operators);
  }

  /**
   * What the rules say, before default and type: the value is null where the default would be served. It is one of a few
   * objects that this snapshot answers again and again.
   */
  decided(key: string, context: Context): Detail {
    let decide = this.#made.get(key);
    if (!decide) {
      if (!isThere(read(this._flags, key))) return NOT_FOUND;
      decide = this.#compile(key);
      this.#made.set(key, decide);
    }
    return context.isValid ? decide(context) : BAD_CONTEXT;
  }
}

function part(data: unknown, name: string): Loose {
  const found = own(data, name);
  return isObject(found) ? found : {};
}
