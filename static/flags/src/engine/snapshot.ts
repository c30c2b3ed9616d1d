/** A snapshot of an environment: immutable data, and what its flags become when they are first asked for. */
import { compiler } from "./compile.ts";
import { Context } from "./contexts.ts";
import { BAD_CONTEXT, type Detail, finished, NOT_FOUND, type Wanted } from "./details.ts";
import { isThere } from "./parts.ts";
import { isObject, type Loose, own, parsed } from "./values.ts";

/**
 * Flags and segments of one moment. Nothing in it changes; a change is a new snapshot.
 *
 * `data` has `flags` and `segments`, each an object by key, and where lists of keys are hashed `keySalt`. It is taken as
 * it is: give it only what `Snapshot.parse` or `JSON.parse` has read.
 */
export class Snapshot {
  /** Contexts of a snapshot that has one are made by `Context.hashed`. */
  readonly keySalt: string | undefined;
  readonly #flags: Loose;
  readonly #compile: (key: string) => (context: Context) => Detail;
  readonly #made = new Map<string, (context: Context) => Detail>();

  constructor(data: unknown) {
    const salt = own(data, "keySalt");
    this.keySalt = typeof salt === "string" ? salt : undefined;
    this.#flags = part(data, "flags");
    this.#compile = compiler(this.#flags, part(data, "segments"), this.keySalt !== undefined);
  }

  /** Of JSON text. Throws SyntaxError. */
  static parse(text: string): Snapshot {
    return new Snapshot(parsed(text));
  }

  /** The answer for one flag. `context` is a Context, or an object that is looked through here. */
  evaluate(key: string, context: unknown, fallback: unknown = null, wanted: Wanted = "any"): Detail {
    return finished(this.decided(key, context instanceof Context ? context : new Context(context)), fallback, wanted);
  }

  /**
   * What the rules say, before default and type: the value is null where the default would be served. It is one of a few
   * objects that this snapshot answers again and again.
   */
  decided(key: string, context: Context): Detail {
    let decide = this.#made.get(key);
    if (!decide) {
      if (!isThere(own(this.#flags, key))) return NOT_FOUND;
      decide = this.#compile(key);
      this.#made.set(key, decide);
    }
    return context.isValid ? decide(context) : BAD_CONTEXT;
  }

  /** The flags that are there, by key. */
  get keys(): string[] {
    return Object.keys(this.#flags).filter((key) => isThere(own(this.#flags, key))).sort();
  }
}

function part(data: unknown, name: string): Loose {
  const found = own(data, name);
  return isObject(found) ? found : {};
}
