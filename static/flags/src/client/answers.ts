/** Evaluations that never fail, of a snapshot that is replaced now and then. */
import { Context } from "../engine/contexts.ts";
import { type Detail, failed, finished, NOT_FOUND, type Wanted } from "../engine/details.ts";
import { Snapshot } from "../engine/snapshot.ts";
import { isObject, type Loose, own } from "../engine/values.ts";
import type { Logger } from "./options.ts";
import type { Counter, Recorder } from "./recorder.ts";

const NOT_READY = failed("CLIENT_NOT_READY");
const EXCEPTION = failed("EXCEPTION");

/** What is served. */
interface Served {
  readonly snapshot: Snapshot;
  readonly version: number;
  readonly flags: Loose;
  /** By the identity of an answer, which lives as long as the snapshot. */
  readonly counters: Map<Detail, Counter>;
}

export class Answers {
  readonly _log: Logger;
  _recorder: Recorder | undefined;
  _served: Served | undefined;
  readonly #heard = new Set<() => void>();

  constructor(log: Logger) {
    this._log = log;
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
      if (isCounted && this._recorder) this.#note(this._recorder, served, key, detail, detail === decided, context);
      return isShared(detail) ? { ...detail, value: structuredClone(detail.value) } : detail;
    } catch (error) {
      // The program that asks goes on, whatever the flag or the context is.
      this._log.error("kbwork flags: a flag could not be evaluated", error);
      return { ...EXCEPTION, value: fallback };
    }
  }

  /** Count an answer, and tell of it where the flag asks for that. `isKept`: the snapshot gives this very one again. */
  #note(recorder: Recorder, served: Served, key: string, detail: Detail, isKept: boolean, context: unknown): void {
    const { flags, counters } = served;
    let counter = isKept ? counters.get(detail) : undefined;
    if (counter === undefined) {
      const flag = own(flags, key);
      const version = own(flag, "version");
      const known = Number.isInteger(version) ? (version as number) : null;
      counter = recorder._counter(key, known, detail, isTold(flag, detail), !isKept);
      if (isKept) counters.set(detail, counter);
    }
    recorder._count(counter);
    if (counter.isTold) recorder._event(counter, context);
  }

  _serve(data: Loose, version: number): void {
    const flags = own(data, "flags");
    this._served = { snapshot: new Snapshot(data), version, flags: isObject(flags) ? flags : {}, counters: new Map() };
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
      this._recorder?._other(kind, context, more);
    } catch (error) {
      this._log.error("kbwork flags: an event could not be kept", error);
    }
  }
}

/** Whether the value is one that whoever gets it could change. */
function isShared({ value, variation }: Detail): boolean {
  return variation !== null && typeof value === "object" && value !== null;
}

/** Whether evaluations of this flag, or by this rule of it, are told one by one. */
function isTold(flag: unknown, { ruleIndex }: Detail): boolean {
  if (own(flag, "trackEvents") === true) return true;
  const rules = own(flag, "rules");
  return ruleIndex !== undefined && Array.isArray(rules) && own(rules[ruleIndex], "trackEvents") === true;
}
