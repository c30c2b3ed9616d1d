/** The client for pages: one context at a time, by a client-side ID. */
import type { BrowserOptions } from "../../types/browser.d.ts";
import { Context } from "../engine/contexts.ts";
import { type Operators, PLAIN } from "../engine/operators.ts";
import { textOf } from "../engine/parts.ts";
import { clean, type Loose, parsed } from "../engine/values.ts";
import { Core } from "./core.ts";
import { decoded } from "./decoding.ts";
import type { Cache, Opened } from "./follower.ts";
import { operators, recorder } from "./later.ts";
import { settings } from "./options.ts";
import { sleep, within } from "./waiting.ts";

export { Context };
export type { Detail, ErrorKind, Reason, Wanted } from "../engine/details.ts";
export type { BrowserOptions } from "../../types/browser.d.ts";

const NOBODY = new Context(undefined);
/** Operators that are fetched when a flag has one; until then it cannot be evaluated. */
const LATER = "matches before after semVerEqual semVerLessThan semVerGreaterThan".split(" ");
const late = (): never => {
  throw new Error("the operator is still to be fetched");
};
const FIRST: Operators = { ...PLAIN, ...Object.fromEntries(LATER.map((op) => [op, late])) };
/** So long a snapshot waits for the operators of its flags. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 30_000;

export class BrowserClient extends Core {
  /** What was told last, in an object of its own by which it is known. */
  #asked: { readonly raw: unknown };
  #context = NOBODY;
  #data: Loose | undefined;
  #further: Promise<void> | undefined;
  #patienceMs = PATIENCE_MS;

  constructor(options: BrowserOptions) {
    const found = settings(options as BrowserOptions & Record<string, unknown>, "clientId");
    const { cachePath, bootstrap } = options;
    const cache = cachePath === undefined ? undefined : new PageCache(`${cachePath}:${found.credential}`);
    super(found, FIRST, (content) => this.#opened(content), cache);
    this.#asked = { raw: options.context };
    if (found.sendEvents) {
      const since = Date.now();
      this._early = [];
      this._recording = this.#fetched(recorder, (Recorder) => {
        if (this._early) this._recorder = new Recorder(this._wire, found, since, this._early);
        this._early = undefined;
      });
    }
    const text = bootstrap === undefined || typeof bootstrap === "string" ? bootstrap : JSON.stringify(bootstrap);
    void this._follower._start(text === undefined ? undefined : new TextEncoder().encode(text));
  }

  /** From now on flags are evaluated for this context; it is done when that is so. */
  async identify(context: unknown): Promise<void> {
    const asked = (this.#asked = { raw: context });
    const snapshot = this._served?.snapshot;
    const made = await this.#made(asked.raw, snapshot?.keySalt);
    // Who came later, or a new snapshot, has seen to it.
    if (this.#asked !== asked || this._served?.snapshot.keySalt !== snapshot?.keySalt) return;
    this.#context = made;
    if (snapshot) this._notify();
  }

  /** Tell of something that happened. The service takes it and does not keep it. */
  track(name: string, data: unknown = null): void {
    this._tell("track", this.#context, { name, data });
  }

  /** Snapshot and context change at one moment. */
  override async _change(data: Loose, version: number): Promise<void> {
    const salt = textOf(data, "keySalt", undefined);
    for (let asked; asked !== this.#asked; ) {
      asked = this.#asked;
      const made = await this.#made(asked.raw, salt);
      if (asked === this.#asked) this.#context = made;
    }
    this.#data = data;
    super._change(data, version);
  }

  override _asked(): unknown {
    return this.#context;
  }

  async #opened(content: Uint8Array<ArrayBuffer>): Promise<Opened> {
    const text = decoded(content);
    if (LATER.some((op) => text.includes(`"${op}"`))) {
      this.#further ??= this.#fetched(operators, (found) => (this._operators = found));
      if (!(await within(this.#further, this.#patienceMs))) {
        this.#patienceMs = 0;
        // Who they are evaluated for is known, and must not be waited for: a newer snapshot may be on its way.
        void this.#further.then(() => this.#data && super._change(this.#data, this.version!));
      }
    }
    return { data: parsed(text) };
  }

  /** What comes behind the flags: where it cannot be fetched it is tried again. */
  async #fetched<T>(load: () => Promise<T>, take: (found: T) => void): Promise<void> {
    const { signal } = this._follower._ends;
    for (let isFirst = true; isFirst || !signal.aborted; isFirst = false) {
      try {
        return take(await load());
      } catch (error) {
        if (isFirst) this._log.warn(`kbwork flags: a piece of this library cannot be fetched: ${error}`);
        await sleep(RETRY_MS, signal);
      }
    }
  }

  /** A copy, so that nothing changes under what is evaluated. */
  async #made(raw: unknown, salt: string | undefined): Promise<Context> {
    if (raw === undefined) return NOBODY;
    try {
      const copied = clean(raw instanceof Context ? raw._raw : raw);
      return salt === undefined ? new Context(copied) : await Context.hashed(copied, salt);
    } catch (error) {
      this._log.error("kbwork flags: a context could not be used", error);
      return NOBODY;
    }
  }
}

export const createClient = (options: BrowserOptions): BrowserClient => new BrowserClient(options);

/** The last snapshot in the storage of this origin, and in further lines what changed since. */
class PageCache implements Cache {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async _read(): Promise<Uint8Array<ArrayBuffer>[]> {
    const text = localStorage.getItem(this.#name);
    return text ? text.split("\n").map((line) => new TextEncoder().encode(line)) : [];
  }

  async _write(content: Uint8Array, isDelta: boolean): Promise<void> {
    const text = new TextDecoder().decode(content);
    localStorage.setItem(this.#name, isDelta ? `${localStorage.getItem(this.#name)}\n${text}` : text);
  }
}
