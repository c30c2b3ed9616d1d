/** Keeps the snapshot up to date: fetched, followed on the stream, asked for again while the stream is down. */
import type { Status } from "../../types/client.d.ts";
import { isObject, type Loose, own } from "../engine/values.ts";
import { joined, MOST_DELTAS, versionIn } from "./deltas.ts";
import type { Logger, Settings } from "./options.ts";
import { sleep } from "./waiting.ts";
import { Lost, type Message, type ServiceAnswer, type Wire } from "./wire.ts";

const POLL_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Clients that hear of a change at once ask for it within this time. */
const SPREAD_MS = 500;
/** So often, with pauses, it is asked again at once for a version that was named. */
const MOST_TRIES = 3;

type Bytes = Uint8Array<ArrayBuffer>;

/** The key is unknown, revoked or expired: there is nothing more to hear. */
class KeyRefused extends Error {}

/** The service asks for a pause. */
class Asked extends Error {}

/** The service has an older version than the one that is served. */
class Older extends Error {}

/** Where the last snapshot is kept, and what changed since, as they came. Both may throw. */
export interface Cache {
  /** The snapshot, and the deltas behind it. */
  _read(): Promise<Bytes[]>;
  /** Instead of all that is there, or behind it. */
  _write(content: Bytes, isDelta: boolean): Promise<void>;
}

export type Keeps = Cache | Promise<Cache> | undefined;

/** What came: the snapshot, and where it was sealed the version that it was sealed with. */
export interface Opened {
  readonly version?: number;
  readonly data: unknown;
}

/** Throws where it cannot be opened. */
export type Opens = (content: Bytes) => Promise<Opened>;

export interface Hears {
  /** With each new snapshot. */
  changed(data: Loose, version: number): void | Promise<void>;
  /** The service answered, or did not where a snapshot of before is served. */
  settled(): void;
  /** At the end, where the key is void. */
  refused(): void;
  /** Whether the service answers, with each try. */
  reached(isSo: boolean): void;
}

/** Two loops: one follows the stream, one asks while that is down. */
export class Follower {
  readonly #wire: Wire;
  readonly #log: Logger;
  readonly #open: Opens;
  /** Its code may still be on its way. */
  readonly #cache: Keeps;
  readonly #hears: Hears;
  readonly _ends = new AbortController();
  #etag: string | null = null;
  #version = -1;
  /** The version that the stream named last. */
  #named = -1;
  #data: Loose | undefined;
  /** So many deltas came since there was a whole. */
  #deltas = 0;
  /** What is served was not told by the service itself: it may be newer than what that has. */
  #isFromBefore = false;
  #isFollowing = false;
  /** What came last cannot be served: it is asked for again half a minute later at most, though the stream lives. */
  #isSpoiled = false;
  #fetching: Promise<void> = Promise.resolve();
  /** The service asked for a pause until then; `isThrottled` until it answers again. */
  #notBefore = 0;
  #isThrottled = false;
  #confirmed: number | undefined;
  #lastError: string | null = null;
  readonly #told = new Set<string>();

  constructor(wire: Wire, settings: Settings, open: Opens, cache: Keeps, hears: Hears) {
    this.#wire = wire;
    this.#log = settings.log;
    this.#open = open;
    this.#cache = cache;
    this.#hears = hears;
  }

  /** Begin: what is there already first, then what the service says. */
  async _start(content?: Bytes): Promise<void> {
    await this.#load(content);
    await Promise.all([this.#guarded(() => this.#follow()), this.#guarded(() => this.#poll())]);
  }

  /** Stop at once. */
  _close(): void {
    this._ends.abort();
  }

  get _status(): Status {
    const ageMs = this.#confirmed === undefined ? null : Math.round(performance.now() - this.#confirmed);
    return { connected: this.#isFollowing, ageMs, lastError: this.#lastError };
  }

  get #isStopped(): boolean {
    return this._ends.signal.aborted;
  }

  async #load(content: Bytes | undefined): Promise<void> {
    for (const read of [async () => content && [content], async () => (await this.#cache)?._read()]) {
      try {
        const [whole, ...deltas] = (await read()) ?? [];
        if (!whole || this.#version >= 0) continue;
        await this.#take(whole);
        this.#isFromBefore = true;
        if (content) this.#hears.settled();
        for (const delta of deltas) await this.#take(delta).catch(() => {}); // of another program, or of before
      } catch (error) {
        this.#say(`the snapshot of before cannot be used: ${textOf(error)}`);
      }
    }
  }

  /** Ask for the snapshot, and take it where it is another; one call at a time. Throws Lost or KeyRefused. */
  #fetch(wanted?: number): Promise<void> {
    const done = this.#fetching.then(async () => {
      for (let tries = 0; !this.#isStopped && (wanted !== this.#version || this.#isFromBefore || this.#isSpoiled); tries++) {
        try {
          if (!(await this.#fetchNow()) || this.#version >= this.#named || tries >= MOST_TRIES) return;
          await sleep(waitMs(tries), this._ends.signal);
        } catch (error) {
          if (!(error instanceof Asked)) throw error;
          if (this.#version >= 0) this.#hears.settled();
        }
      }
    });
    this.#fetching = done.catch(() => {});
    return done;
  }

  /**
   * Whoever has a snapshot is sent what changed since; where that cannot be used the whole is asked for, once. Whether
   * what came is a snapshot, be it an older one.
   */
  async #fetchNow(since = this.#deltas < MOST_DELTAS ? this.#version : -1): Promise<boolean> {
    await this.#turn();
    const wanted = this.#named > this.#version ? this.#named : -1;
    const answer = await this.#wire._snapshot(this.#etag, since, wanted, this._ends.signal);
    if (answer.status !== 304) this.#requireServed(answer);
    this.#isThrottled = false;
    if (answer.status === 304) {
      this.#judge();
      return true;
    }
    try {
      await this.#take(answer.body);
    } catch (error) {
      this.#say(`a snapshot that came cannot be used: ${textOf(error)}`);
      this.#isSpoiled = true;
      return error instanceof Older || (since >= 0 && this.#fetchNow(-1));
    }
    [this.#etag, this.#isFromBefore] = [answer.etag, false];
    this.#judge();
    this.#hears.settled();
    try {
      await (await this.#cache)?._write(answer.body, this.#deltas > 0);
    } catch (error) {
      this.#say(`a snapshot that came cannot be kept: ${textOf(error)}`);
    }
    return true;
  }

  /** Serve a snapshot. Throws for what is none, or is older than what is served. */
  async #take(content: Bytes): Promise<void> {
    const { data: found, version: sealed } = await this.#open(content);
    if (!isObject(found) || found["format"] !== 1) throw new Error("it is of a format that this library does not know");
    const isDelta = own(found, "base") !== undefined;
    const data = isDelta ? joined(this.#data, found) : found;
    const version = sealed ?? versionIn(data);
    if (!Number.isInteger(version)) throw new Error("it has no version");
    if ((version as number) < this.#version && !this.#isFromBefore) {
      throw new Older(`it is version ${version}, and ${this.#version} is served`);
    }
    if (this.#isStopped) return;
    this.#version = version as number;
    this.#data = data;
    this.#deltas = isDelta ? this.#deltas + 1 : 0;
    this.#told.clear();
    this.#lastError = null;
    await this.#hears.changed(data, this.#version);
  }

  /** What is served is what the service has, unless the stream named a later one: a cache on the way may have kept it. */
  #judge(): void {
    this.#isSpoiled = this.#version < this.#named;
    if (!this.#isSpoiled) this.#confirm();
  }

  #confirm(): void {
    this.#confirmed = performance.now();
    this.#hears.reached(true);
  }

  async #guarded(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (this.#isStopped) return;
      if (error instanceof KeyRefused) {
        this.#say("the key is refused: flags stay as they are");
        this._close();
        this.#hears.refused();
      } else {
        // A fault here must not end the program that is served.
        this.#log.error("kbwork flags: flags are not followed any more", error);
      }
    }
  }

  /** Open the stream, again and again, with pauses that grow. */
  async #follow(): Promise<void> {
    for (let tries = 0; !this.#isStopped; tries++) {
      try {
        for await (const message of this.#messages()) {
          if (await this.#heard(message)) tries = 0;
        }
        this.#say("the stream ended");
      } catch (error) {
        if (error instanceof Lost) this.#say(`the stream is down: ${error.message}`);
        else if (!(error instanceof Asked)) throw error;
      } finally {
        this.#isFollowing = false;
      }
      await sleep(waitMs(tries), this._ends.signal);
    }
  }

  /** What comes on a stream that is open. */
  async *#messages(): AsyncGenerator<Message, void, undefined> {
    await this.#turn();
    for await (const message of this.#wire._stream(this._ends.signal)) {
      if ("status" in message) {
        this.#requireServed(message);
        this.#isThrottled = false;
      } else yield message;
    }
  }

  /** Whether it says which version there is. */
  async #heard({ kind, data }: Message): Promise<boolean> {
    if (kind === "revoked") throw new KeyRefused();
    const isTold = kind === "hello" || kind === "change";
    if (isTold) {
      const version = versionOf(data);
      this.#named = version ?? -1;
      if (this.#isFromBefore || version !== this.#version) {
        if (kind === "change") await sleep(Math.random() * SPREAD_MS, this._ends.signal);
        await this.#fetch(version);
      }
      if (this.#isStopped) return true; // a refusal stays said
      this.#isFollowing = true;
      if (version === this.#version) this.#lastError = null;
    }
    if (this.#isFollowing && !this.#isSpoiled) this.#confirm();
    return isTold;
  }

  /** Ask now, and every half minute while the stream is down or what came cannot be served; sooner where nothing is yet. */
  async #poll(): Promise<void> {
    for (let tries = 0; !this.#isStopped; ) {
      let pauseMs = POLL_MS;
      try {
        if (!this.#isFollowing || this.#isSpoiled) await this.#fetch();
        tries = 0;
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        this.#say(`the service cannot be reached: ${error.message}`);
        if (!this.#isStopped) this.#hears.reached(false);
        if (this.#version >= 0) this.#hears.settled();
        else pauseMs = Math.min(POLL_MS, waitMs(tries++));
      }
      await sleep(pauseMs, this._ends.signal);
    }
  }

  /**
   * Until the service may be asked: a pause counts for all requests. After it one goes first, and the other one waits for
   * what that is answered.
   */
  async #turn(): Promise<void> {
    for (let left; (left = this.#notBefore - performance.now()) > 0 && !this.#isStopped; ) {
      await sleep(left, this._ends.signal);
    }
    if (this.#isThrottled) this.#notBefore = performance.now() + FIRST_WAIT_MS;
  }

  /** Throws for what is no snapshot and no stream. */
  #requireServed({ status, retryAfterMs }: ServiceAnswer): void {
    if (status === 401) throw new KeyRefused();
    if (status === 429) {
      this.#isThrottled = true;
      this.#notBefore = Math.max(this.#notBefore, performance.now() + (retryAfterMs || POLL_MS));
      this.#say("the service asks to wait");
      throw new Asked();
    }
    if (status !== 200) throw new Lost(`the service answers with the status ${status}`);
  }

  /** Each thing that is wrong once, until it is well again. */
  #say(text: string): void {
    if (this.#isStopped) return;
    this.#lastError = text;
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#log.warn(`kbwork flags: ${text}`);
  }
}

function versionOf(data: string): number | undefined {
  try {
    const version = own(JSON.parse(data), "version");
    return Number.isInteger(version) ? (version as number) : undefined;
  } catch {
    return undefined;
  }
}

/** From a second, doubled each time, to a minute; anywhere within, so that clients do not come together. */
function waitMs(tries: number): number {
  return Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
