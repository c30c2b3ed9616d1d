/** Evaluations that never fail, of a snapshot that is replaced now and then. */
import { Context } from "../engine/contexts.ts";
import { type Detail, failed, finished, NOT_FOUND, type Wanted } from "../engine/details.ts";
import type { Operators } from "../engine/operators.ts";
import { Flags } from "../engine/snapshot.ts";
import { clean, isObject, type Loose, own } from "../engine/values.ts";
import type { Logger } from "./options.ts";
import type { Counter, Recorder } from "./recorder.ts";

const NOT_READY = failed("CLIENT_NOT_READY");
const EXCEPTION = failed("EXCEPTION");

/** So much is kept of what is to be told as long as the code that tells it is on its way. */
export const MOST_EARLY = 10_000;

/** `at`: when that was so, where it was before. */
export type Tells = (recorder: Recorder, at?: number) => void;

/** What is served. */
export interface Served {
  readonly snapshot: Flags;
  readonly version: number;
  readonly flags: Loose;
  /** By the identity of an answer, which lives as long as the snapshot. */
  readonly counters: Map<Detail, Counter>;
}

export class Answers {
  readonly _log: Logger;
  _operators: Operators;
  _recorder: Recorder | undefined;
  /** Undefined where nothing is told, or all of it at once. */
  _early: Tells[] | undefined;
  _served: Served | undefined;
  readonly #heard = new Set<() => void>();

  constructor(log: Logger, operators: Operators) {
    this._log = log;
    this._operators = operators;
  }

  /** The version of the environment that is served; null where there is no snapshot yet. */
  get version(): number | null {
    return this._served?.version ?? null;
  }

  /** Call this after each new snapshot; answers what ends it. */
  subscribe(heard: () => void): () => void {
    const own = (): void => heard();
    this.#heard.add(own);
    return () => void this.#heard.delete(own);
  }

  /** Call this with the answer when what a flag serves is another than before; answers what ends it. */
  watch(key: string, heard: (detail: Detail) => void, context?: unknown): () => void {
    const look = (): Detail => this._detail(key, null, context, "any", false);
    let before = look();
    return this.subscribe(() => {
      const now = look();
      const isSame = JSON.stringify([before.value, before.variation]) === JSON.stringify([now.value, now.variation]);
      before = now;
      if (!isSame) heard(now);
    });
  }

  boolean(key: string, fallback: boolean, context?: unknown): boolean {
    return this._detail(key, fallback, context, "boolean").value as boolean;
  }

  string(key: string, fallback: string, context?: unknown): string {
    return this._detail(key, fallback, context, "string").value as string;
  }

  number(key: string, fallback: number, context?: unknown): number {
    return this._detail(key, fallback, context, "number").value as number;
  }

  json(key: string, fallback: unknown, context?: unknown): unknown {
    return this._detail(key, fallback, context, "any").value;
  }

  booleanDetail(key: string, fallback: boolean, context?: unknown): Detail {
    return this._detail(key, fallback, context, "boolean");
  }

  stringDetail(key: string, fallback: string, context?: unknown): Detail {
    return this._detail(key, fallback, context, "string");
  }

  numberDetail(key: string, fallback: number, context?: unknown): Detail {
    return this._detail(key, fallback, context, "number");
  }

  jsonDetail(key: string, fallback: unknown, context?: unknown): Detail {
    return this._detail(key, fallback, context, "any");
  }

  /** For whom it is asked: who says so with each call, or the client. */
  _asked(context: unknown): unknown {
    return context;
  }

  /** `isCounted`: somebody is served this; who only looks whether it is still so is not. */
  _detail(key: string, fallback: unknown, given: unknown, wanted: Wanted, isCounted = true): Detail {
    const served = this._served;
    if (served === undefined) return { ...NOT_READY, value: fallback };
    try {
      const context = this._asked(given);
      if (typeof key !== "string") return { ...NOT_FOUND, value: fallback };
      const decided = served.snapshot.decided(key, context instanceof Context ? context : new Context(context));
      const detail = finished(decided, fallback, wanted);
      if (isCounted) {
        if (this._recorder) this._recorder._note(served, key, detail, detail === decided, context);
        else if (this._early) this._record((recorder, at) => recorder._note(served, key, detail, detail === decided, context, at));
      }
      return isShared(detail) ? { ...detail, value: structuredClone(detail.value) } : detail;
    } catch (error) {
      // The program that asks goes on, whatever the flag or the context is.
      this._log.error("kbwork flags: a flag could not be evaluated", error);
      return { ...EXCEPTION, value: fallback };
    }
  }

  _serve(data: Loose, version: number): void {
    const flags = own(data, "flags");
    this._served = { snapshot: new Flags(data, this._operators), version, flags: isObject(flags) ? flags : {}, counters: new Map() };
  }

  /** Tell those who listen. */
  _notify(): void {
    for (const heard of [...this.#heard]) {
      try {
        heard();
      } catch (error) {
        // Whoever listens may fail; the flags are served all the same.
        this._log.error("kbwork flags: a subscriber failed", error);
      }
    }
  }

  _tell(kind: string, context: unknown, more?: Loose): void {
    try {
      const told = clean(more) as Loose;
      this._record((recorder, at) => recorder._other(kind, context, told, at));
    } catch (error) {
      this._log.error("kbwork flags: an event could not be kept", error);
    }
  }

  /** Tell it, or have it wait until that is possible. */
  _record(tell: Tells): void {
    if (this._recorder) return tell(this._recorder);
    const at = Date.now();
    if (this._early && this._early.length < MOST_EARLY) this._early.push((recorder) => tell(recorder, at));
  }
}

/** Whether the value is one that whoever gets it could change. */
function isShared({ value, variation }: Detail): boolean {
  return variation !== null && typeof value === "object" && value !== null;
}
