/** The flag engine: a snapshot and a context in, a value with its reason out. */

export type Reason = "DISABLED" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "PREREQUISITE_FAILED" | "ERROR";
export type ErrorKind = "FLAG_NOT_FOUND" | "INVALID_CONTEXT" | "MALFORMED_FLAG" | "WRONG_TYPE" | "CLIENT_NOT_READY" | "EXCEPTION";
/** The type that a call asks for; `any` takes every JSON type. */
export type Wanted = "boolean" | "string" | "number" | "any";

/** `variation` is null where the caller's default is served; then `value` is that default. */
export interface Detail {
  readonly value: unknown;
  readonly variation: number | null;
  readonly reason: Reason;
  /** Place of the rule that decided, the first is 0. */
  readonly ruleIndex?: number;
  readonly ruleId?: string;
  /** The prerequisite that failed. */
  readonly prerequisiteKey?: string;
  /** What went wrong where `reason` is `ERROR`. */
  readonly errorKind?: ErrorKind;
}

/** Who or what flags are evaluated for, such as `{ kind: "user", key: "ana", plan: "pro" }`, looked through once. */
export declare class Context {
  constructor(raw: unknown);
  /** For a snapshot with a `keySalt`: with its keys as the lists of that snapshot have them. */
  static hashed(raw: unknown, salt: string): Promise<Context>;
  /** Names of its kinds; empty where it is invalid. */
  readonly kinds: readonly string[];
  readonly isValid: boolean;
}

/** Flags and segments of one moment. Nothing in it changes; a change is a new snapshot. */
export declare class Snapshot {
  /** Of `flags` and `segments` by key, as `JSON.parse` reads them; it is not copied. */
  constructor(data: unknown);
  /** Of JSON text. Throws SyntaxError. */
  static parse(text: string): Snapshot;
  /** Contexts of a snapshot that has one are made by `Context.hashed`. */
  readonly keySalt: string | undefined;
  /** The flags that are there, by key. */
  readonly keys: string[];
  /** The answer for one flag; it never throws for what a flag or a context holds. `fallback`: null where left out. */
  evaluate(key: string, context: unknown, fallback?: unknown, wanted?: Wanted): Detail;
  /** The same before default and type; the value is null where the default would be served. */
  decided(key: string, context: Context): Detail;
}
