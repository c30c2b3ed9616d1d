/** The three addresses of the service that a client talks to: the snapshot, the stream and the events. */
import type { Settings } from "./options.ts";
import { timer } from "./waiting.ts";

const TIMEOUT_MS = 10_000;
/** A stream on which nothing comes for so long is dead; the service says something every 25 seconds. */
const SILENCE_MS = 60_000;
const MOST_LINE = 1 << 20;
const LONGEST_PAUSE_S = 3600;
const LIBRARY = "kbwork-js/1";

/** The service cannot be reached, or answers what is no answer; the text says why. */
export class Lost extends Error {}

/** An answer whole. `retryAfterMs` is what a 429 asks for. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string | null;
  readonly retryAfterMs: number;
}

/** An event of the stream; `kind` is empty for the lines that only keep it open. */
export interface Message {
  readonly kind: string;
  readonly data: string;
}

/** One service and one key. */
export class Wire {
  readonly _settings: Settings;

  constructor(settings: Settings) {
    this._settings = settings;
  }

  /**
   * Ask for the snapshot, or what changed since a version; 304 where it is the one of this tag. Throws Lost.
   *
   * By the version that is `wanted` caches on the way have kept no older one. Versions below 0 are none.
   */
  _snapshot(etag: string | null, since: number, wanted: number, signal: AbortSignal): Promise<ServiceAnswer> {
    const query = [since < 0 ? "" : `since=${since}`, wanted < 0 ? "" : `version=${wanted}`].filter(Boolean).join("&");
    return this._ask(query ? `/snapshot?${query}` : "/snapshot", { headers: etag ? { "If-None-Match": etag } : {} }, signal);
  }

  /** The stream: its status first, then each message as it comes until it ends. Throws Lost where it breaks. */
  async *_stream(signal: AbortSignal): AsyncGenerator<ServiceAnswer | Message, void, undefined> {
    const ends = ending(signal);
    try {
      const init = { headers: { Accept: "text/event-stream" } };
      const answer = await ends.within(SILENCE_MS, this.#open("/stream", init, ends.signal));
      yield { status: answer.status, body: NOTHING, etag: null, retryAfterMs: pauseMs(answer) };
      const reader = answer.body!.getReader();
      const decoder = new TextDecoder();
      let [rest, kind, data] = ["", "", [] as string[]];
      for (;;) {
        const { done, value } = await ends.within(SILENCE_MS, reader.read());
        if (done) return;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop()!;
        if (rest.length > MOST_LINE) throw new Lost("a line without end");
        for (const line of lines) {
          const [, name, text] = /^([^:\r]*):? ?(.*?)\r?$/.exec(line) ?? [];
          if (name === "event") kind = text!;
          else if (name === "data") data.push(text!);
          else if (name) continue;
          else if (line.startsWith(":")) yield { kind: "", data: "" };
          else {
            if (kind || data.length) yield { kind: kind || "message", data: data.join("\n") };
            [kind, data] = ["", []];
          }
        }
      }
    } catch (error) {
      throw lost(error);
    } finally {
      ends.end();
    }
  }

  /** The answer whole. Throws Lost. */
  async _ask(path: string, init: RequestInit, signal?: AbortSignal): Promise<ServiceAnswer> {
    const ends = ending(signal);
    try {
      return await ends.within(TIMEOUT_MS, this.#whole(path, init, ends.signal));
    } catch (error) {
      throw lost(error);
    } finally {
      ends.end();
    }
  }

  async #whole(path: string, init: RequestInit, signal: AbortSignal): Promise<ServiceAnswer> {
    const answer = await this.#open(path, init, signal);
    const body = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, body, etag: answer.headers.get("ETag"), retryAfterMs: pauseMs(answer) };
  }

  async #open(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { url, credential, fetch } = this._settings;
    signal.throwIfAborted();
    const headers = { ...init.headers, Authorization: `Bearer ${credential}`, "X-SDK": LIBRARY };
    // Wherever it would send us, the key does not go there.
    return fetch(url + path, { ...init, headers, signal, redirect: "manual" });
  }
}

const NOTHING = new Uint8Array(0);

interface Ending {
  readonly signal: AbortSignal;
  /** What takes longer is ended, and throws Lost; also where `fetch` does not hear the signal. */
  within<T>(ms: number, what: Promise<T>): Promise<T>;
  end(): void;
}

/** Ends with the signal of another, or for itself. */
function ending(outer: AbortSignal | undefined): Ending {
  const inner = new AbortController();
  const end = (): void => {
    outer?.removeEventListener("abort", end);
    inner.abort();
  };
  outer?.addEventListener("abort", end);
  if (outer?.aborted) end();
  return {
    signal: inner.signal,
    end,
    within: (ms, what) =>
      new Promise((resolve, reject) => {
        const late = timer(() => {
          reject(new Lost(`nothing came for ${ms / 1000} seconds`));
          inner.abort();
        }, ms);
        what.then(resolve, reject).finally(() => clearTimeout(late));
      }),
  };
}

/** Whatever breaks on the way is one thing to a client. */
function lost(error: unknown): Lost {
  if (error instanceof Lost) return error;
  const { message, cause } = error as Error;
  return new Lost(cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message);
}

/** 0 where nothing is asked for. */
function pauseMs(answer: Response): number {
  const text = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Math.min(Number(text), LONGEST_PAUSE_S) * 1000 : 0;
}
