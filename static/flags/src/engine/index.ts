/** The flag engine: a snapshot and a context in, a value with its reason out. Pure, and without dependencies. */
import { Context } from "./contexts.ts";
import { type Detail, finished, type Wanted } from "./details.ts";
import { OPERATORS } from "./further.ts";
import { isThere } from "./parts.ts";
import { Flags } from "./snapshot.ts";
import { parsed, read } from "./values.ts";

export { Context };
export type { Detail, ErrorKind, Reason, Wanted } from "./details.ts";

/** Flags and segments of one moment, as `JSON.parse` reads them, whatever they ask. */
export class Snapshot extends Flags {
  constructor(data: unknown) {
    super(data, OPERATORS);
  }

  /** Of JSON text. Throws SyntaxError. */
  static parse(text: string): Snapshot {
    return new Snapshot(parsed(text));
  }

  /** The answer for one flag. `context` is a Context, or an object that is looked through here. */
  evaluate(key: string, context: unknown, fallback: unknown = null, wanted: Wanted = "any"): Detail {
    return finished(this.decided(key, context instanceof Context ? context : new Context(context)), fallback, wanted);
  }

  /** The flags that are there, by key. */
  get keys(): string[] {
    return Object.keys(this._flags).filter((key) => isThere(read(this._flags, key))).sort();
  }
}
