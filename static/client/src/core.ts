/** The calls of a client. Their types are those of `types/index.d.ts`; here names are texts. */
import type * as told from "../types/index.d.ts";
import { reads } from "./contract.ts";
import { device } from "./device.ts";
import { exchange, type Send } from "./exchange.ts";
import { download, upload } from "./files.ts";
import { stream } from "./stream.ts";

/** A list is not followed for ever. */
const MOST_PAGES = 1000;
const READS = new Set(
  reads.flatMap((line) => {
    const [module, ...verbs] = line.split(" ");
    return verbs.map((verb) => `${module}.${verb}`);
  }),
);

/** What a call may say of its own patience. */
type Own = Pick<told.CallOptions, "signal" | "timeoutMs" | "retries">;
type Answer = { items?: unknown[]; next?: string | null };

export class Core {
  readonly url: string;
  key: string | undefined;
  seq = 0;
  readonly _options: told.ClientOptions;
  readonly _send: Send;

  constructor(options: told.ClientOptions) {
    const url = options.url ?? globalThis.location?.origin;
    if (!url) throw new TypeError("Say where the server is: kbwork({ url: ... })");
    this.url = new URL(url).href.replace(/\/+$/, "");
    this.key = options.key;
    this._options = options;
    this._send = options.fetch ?? ((place, init) => fetch(place, init));
  }

  async call(op: string, input?: object, options?: told.CallOptions): Promise<unknown> {
    return (await this.ask(op, input, options)).data;
  }

  ask(op: string, input: object = {}, options: told.AskOptions = {}): Promise<told.Reply<unknown>> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (options.etag) headers["If-None-Match"] = options.etag;
    if (!READS.has(op)) headers["Idempotency-Key"] = options.idempotencyKey ?? ownKey();
    const init = { method: "POST", headers, body: JSON.stringify(input) };
    return this._exchange(`/api/v1/${encodeURIComponent(op)}`, init, options, async (answer) => {
      const seq = Number(answer.headers.get("x-kb-seq"));
      this.seq = Math.max(this.seq, seq);
      const fresh = answer.status === 200;
      return {
        fresh,
        data: fresh ? await answer.json() : undefined,
        seq,
        etag: answer.headers.get("etag") ?? undefined,
        replayed: answer.headers.get("idempotent-replayed") === "true",
      } as told.Reply<unknown>;
    });
  }

  async *paged(op: string, input: object = {}, options: told.PageOptions = {}): AsyncGenerator<unknown> {
    let cursor: string | null | undefined;
    for (let page = 0; page < (options.most ?? MOST_PAGES); page++) {
      const answer = (await this.call(op, cursor ? { ...input, cursor } : input, options)) as Answer;
      yield answer;
      if (!answer.next || answer.next === cursor) return;
      cursor = answer.next;
    }
  }

  async *every(op: string, input?: object, options?: told.PageOptions): AsyncGenerator<unknown> {
    for await (const page of this.paged(op, input, options)) yield* (page as Answer).items ?? (page as unknown[]);
  }

  async batch(steps: readonly (readonly [string, object])[], options?: told.CallOptions): Promise<unknown> {
    const ops = steps.map(([op, input]) => ({ op, input }));
    return ((await this.call("api.batch", { ops }, options)) as { results: unknown }).results;
  }

  stream(options?: told.StreamOptions): AsyncGenerator<told.StreamMessage, void, undefined> {
    return stream(this, options);
  }

  upload(file: Blob | BufferSource | string, options?: told.UploadOptions): Promise<told.Uploaded> {
    return upload(this, file, options);
  }

  download(file: string, options?: told.DownloadOptions): Promise<Response> {
    return download(this, file, options);
  }

  device(options: told.DeviceOptions): Promise<string> {
    return device(this, options);
  }

  /** A request below the address of the server, in the name of the caller. */
  _exchange<T>(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
    options: Own,
    take: (answer: Response) => T | Promise<T>,
  ): Promise<T> {
    const { name, timeoutMs = 60_000, retries = 4, longestWaitMs = 30_000 } = this._options;
    if (this.key) init.headers["Authorization"] = `Bearer ${this.key}`;
    if (name) init.headers["X-KB-Client"] = name;
    const patience = {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      retries: options.retries ?? retries,
      longestWaitMs,
    };
    return exchange(this._send, this.url + path, init, patience, take);
  }
}

/** `randomUUID` is for pages by https alone. */
const ownKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
