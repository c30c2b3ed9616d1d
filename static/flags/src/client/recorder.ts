/** What was evaluated: counted here, sent in batches. No context leaves but for flags that ask for their events. */
import { Context } from "../engine/contexts.ts";
import type { Detail } from "../engine/details.ts";
import type { Path } from "../engine/references.ts";
import { type Loose, own, read } from "../engine/values.ts";
import { MOST_EARLY, type Served, type Tells } from "./answers.ts";
import type { Logger, Settings } from "./options.ts";
import { privatePaths, redacted } from "./privacy.ts";
import { sleep, timer, within } from "./waiting.ts";
import { Lost, type ServiceAnswer, type Wire } from "./wire.ts";

const MOST_WAITING = 10_000;
const BATCH = 500;
/** Of the events of one batch, of three bytes each at most: the service takes a mebibyte. */
const MOST_CHARS = 340_000;
const MOST_COUNT = 1_000_000;
const LIBRARY = "js/1";
const RETRY_MS = 1_000;
const CLOSE_MS = 5_000;

type Event = Readonly<Record<string, unknown>>;

/** How often one answer was given since it was last told. */
export interface Counter {
  readonly flag: string;
  readonly version: number | null;
  readonly variation: number | null;
  readonly reason: string;
  /** Whether each evaluation is told by itself, too. */
  readonly isTold: boolean;
  count: number;
}

export class Recorder {
  readonly _wire: Wire;
  readonly #log: Logger;
  readonly #intervalMs: number;
  readonly #private: readonly Path[];
  /** Those that are not known by the identity of an answer, by what they count. */
  readonly #named = new Map<string, Counter>();
  /** All that have counted something. */
  #counting: Counter[] = [];
  #since: number;
  _waiting: Event[] = [];
  #sending = 0;
  /** The round that is under way, and the one that was asked for meanwhile. */
  #round: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  /** Nothing more is sent, nor kept: the key is refused, or the client is closed. */
  #isOver = false;
  #hasDropped = false;

  /** `since`: what is told begins then, with `early`. */
  constructor(wire: Wire, settings: Settings, since = Date.now(), early: readonly Tells[] = []) {
    this.#since = since;
    this._wire = wire;
    this.#log = settings.log;
    this.#intervalMs = settings.flushIntervalMs;
    const [paths, malformed] = privatePaths(settings.privateAttributes);
    this.#private = paths;
    if (malformed.length) this.#log.warn(`kbwork flags: privateAttributes that name no attribute: ${malformed.map((one) => (typeof one === "string" ? one : typeof one)).join(", ")}`);
    for (const tell of early) tell(this);
    if (early.length === MOST_EARLY) this.#log.warn(`kbwork flags: after ${MOST_EARLY} answers nothing was counted for a while`);
    this.#wake();
  }

  /** Count an answer, and tell of it where the flag asks for that. `isKept`: the snapshot gives this very one again. */
  _note({ flags, counters }: Served, key: string, detail: Detail, isKept: boolean, context: unknown, at?: number): void {
    let counter = isKept ? counters.get(detail) : undefined;
    if (counter === undefined) {
      const flag = read(flags, key);
      const version = own(flag, "version");
      const known = Number.isInteger(version) ? (version as number) : null;
      counter = this.#counter(key, known, detail, isTold(flag, detail), !isKept);
      if (isKept) counters.set(detail, counter);
    }
    this.#count(counter);
    if (counter.isTold) this.#event(counter, context, at);
  }

  /** What counts an answer of this flag. `byName`: it is looked for by what it counts, and the next call gives the same. */
  #counter(flag: string, version: number | null, { variation, reason }: Detail, isTold: boolean, byName: boolean): Counter {
    const name = byName ? JSON.stringify([flag, version, variation, reason, isTold]) : "";
    const known = this.#named.get(name);
    if (known) return known;
    const made: Counter = { flag, version, variation, reason, isTold, count: 0 };
    if (byName && this.#hasRoom()) {
      this.#named.set(name, made);
      this.#sendWhereMany();
    }
    return made;
  }

  /** One more evaluation. */
  #count(counter: Counter): void {
    if (counter.count === 0) {
      if (!this.#hasRoom()) return;
      this.#counting.push(counter);
      if (this.#counting.length === MOST_WAITING / 2) void this.#send();
    }
    counter.count++;
  }

  /** An evaluation told by itself, with the context but for what is private. */
  #event({ flag, version, variation }: Counter, context: unknown, at = Date.now()): void {
    this.#put({ kind: "evaluation", at, flag, version, variation, ...this.#told(context) });
  }

  /** A `track` or `identify` event, which the service takes and does not keep. */
  _other(kind: string, context: unknown, more: Event, at = Date.now()): void {
    this.#put({ kind, at, ...this.#told(context), ...more });
  }

  /** Send what there is now; false where it did not go within this time, or the client is closed. */
  async _flush(timeoutMs: number): Promise<boolean> {
    return !this.#stopping.signal.aborted && within(this.#send(), timeoutMs);
  }

  /** Send what is left, within a few seconds, and stop. */
  async _close(): Promise<void> {
    this.#stopping.abort();
    await within(this.#send(), CLOSE_MS);
    this._refuse();
  }

  /** What waits is of no use to anybody. */
  _refuse(): void {
    this.#isOver = true;
    this.#named.clear();
    [this.#counting, this._waiting] = [[], []];
  }

  /** Of a context that is not valid nothing is told: nobody knows what of it is private. */
  #told(context: unknown): Event {
    const { kinds, _raw } = context instanceof Context ? context : new Context(context);
    return { contextKinds: kinds, context: kinds[0] ? redacted(_raw as Loose, this.#private) : null };
  }

  #put(event: Event): void {
    if (!this.#hasRoom()) return;
    this._waiting.push(event);
    this.#sendWhereMany();
  }

  /** Whether one more may wait; those of a batch on its way count. */
  #hasRoom(): boolean {
    if (this.#isOver) return false;
    if (this.#counting.length + this._waiting.length + this.#sending < MOST_WAITING) return true;
    if (!this.#hasDropped) {
      this.#hasDropped = true;
      this.#log.warn(`kbwork flags: ${MOST_WAITING} events wait already: more are dropped`);
    }
    return false;
  }

  #sendWhereMany(): void {
    if (this.#named.size + this._waiting.length === BATCH) void this.#send();
  }

  #wake(): void {
    timer(() => {
      if (this.#isOver) return;
      void this.#send();
      this.#wake();
    }, this.#intervalMs);
  }

  /** Once everything that is there now was sent. */
  #send(): Promise<void> {
    return (this.#next ??= this.#round = this.#round.then(() => {
      this.#next = undefined;
      return this.#sendAll();
    }));
  }

  /** Everything that waits now, a batch at a time. One that does not go is given up after its second try. */
  async #sendAll(): Promise<void> {
    this._gather();
    for (let batch: Event[]; (batch = this._batch(MOST_CHARS)).length; ) {
      this.#sending = batch.length;
      const fails = (error: unknown): void => this.#log.error("kbwork flags: a batch of events could not be sent", error);
      await this.#deliver(batch).catch(fails);
      this.#sending = 0;
    }
  }

  /** Takes what goes together: so many characters at most, or one event that is larger. */
  _batch(most: number): Event[] {
    let taken = 0;
    const end = this._waiting.findIndex((event, at) => at === BATCH || (taken += JSON.stringify(event).length) > most);
    return this._waiting.splice(0, end < 0 ? BATCH : end || 1);
  }

  /** Counts become events; large ones are told in parts. They stand before what is told one by one. */
  _gather(): void {
    const [from, to] = [this.#since, Date.now()];
    const sums = new Map<string, [Counter, number]>();
    for (const counter of this.#counting) {
      const { flag, version, variation, reason, count } = counter;
      const name = JSON.stringify([flag, version, variation, reason]);
      sums.set(name, [counter, count + (sums.get(name)?.[1] ?? 0)]);
      counter.count = 0;
    }
    for (const [{ flag, version, variation, reason }, total] of sums.values()) {
      for (let told = 0; told < total; told += MOST_COUNT) {
        const count = Math.min(MOST_COUNT, total - told);
        this._waiting.unshift({ kind: "summary", from, to, flag, version, variation, reason, count });
      }
    }
    this.#since = to;
    this.#counting = [];
    this.#named.clear();
    this.#hasDropped = false;
  }

  #post(body: string): Promise<ServiceAnswer> {
    return this._wire._ask("/events", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  }

  /** Send one batch, a second time under the same id where the first did not arrive. */
  async #deliver(events: readonly Event[]): Promise<void> {
    const batch = asBatch(events);
    for (const isLast of [false, true]) {
      let why: string;
      let pauseMs = RETRY_MS;
      try {
        const { status, body, retryAfterMs } = await this.#post(batch);
        if (status >= 200 && status < 300) return;
        if (status === 401) return this._refuse();
        why = `${status} ${new TextDecoder().decode(body.subarray(0, 200))}`;
        if (status === 429) pauseMs = retryAfterMs || RETRY_MS;
        else if (status >= 400 && status < 500 && status !== 408) pauseMs = Infinity;
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        why = error.message;
      }
      if (isLast || pauseMs === Infinity) return this.#log.warn(`kbwork flags: ${events.length} events are lost: ${why}`);
      await sleep(pauseMs, this.#stopping.signal);
    }
  }
}

/** As it is sent. */
export function asBatch(events: readonly Event[]): string {
  return JSON.stringify({ batchId: uuid(), sdk: LIBRARY, sentAt: Date.now(), events });
}

/** As `crypto.randomUUID`, which pages without TLS do not have. */
function uuid(): string {
  // Where 0 stands any digit, where 8 stands one that begins with the bits 10.
  const digit = (given: string): string => (+given ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (+given / 4)))).toString(16);
  return "00000000-0000-4000-8000-000000000000".replace(/[08]/g, digit);
}

/** Whether evaluations of this flag, or by this rule of it, are told one by one. */
function isTold(flag: unknown, { ruleIndex }: Detail): boolean {
  if (own(flag, "trackEvents") === true) return true;
  const rules = own(flag, "rules");
  return ruleIndex !== undefined && Array.isArray(rules) && own(rules[ruleIndex], "trackEvents") === true;
}
