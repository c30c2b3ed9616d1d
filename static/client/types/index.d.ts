/** The client of kbwork for browsers, Node, Bun and Deno: what it offers. The names of the server are in `contract`. */
import type { Event, EventKind, Modules, Operations, ProblemSlug, SyncDelta } from "./contract.js";

export * from "./contract.js";

/** A client of one server: `call("issues.create", {...})`, or the same as `issues.create({...})`. */
export type Kbwork = Client & Modules;

export declare function kbwork(options?: ClientOptions): Kbwork;

/** The version of the server that this client was made with. */
export declare const version: string;

// -- operations ---------------------------------------------------------------------------------------------

export type Name = keyof Operations;
export type In<K extends Name> = Operations[K]["in"];
export type Out<K extends Name> = Operations[K]["out"];
/** What is handed to an operation; nothing has to be where every field may be left out. */
export type Rest<K extends Name> = K extends ColumnedName
  ? [input?: In<K> & { columns?: null | undefined }, options?: CallOptions]
  : {} extends In<K>
    ? [input?: In<K>, options?: CallOptions]
    : [input: In<K>, options?: CallOptions];
/** Operations that answer in another form where `columns` are given. */
export type ColumnedName = { [K in Name]: Operations[K] extends { columned: unknown } ? K : never }[Name];
export type Columns<K extends ColumnedName> = Operations[K] extends { columned: infer C } ? C : never;
type WithColumns<K extends ColumnedName> = In<K> & { columns: readonly string[] };

/** One operation as a function. */
export type Method<K extends Name> = K extends ColumnedName
  ? {
      (input: WithColumns<K>, options?: CallOptions): Promise<Columns<K>>;
      (...rest: Rest<K>): Promise<Out<K>>;
    }
  : (...rest: Rest<K>) => Promise<Out<K>>;

/** Operations that answer page by page. */
export type PagedName = {
  [K in Name]: "cursor" extends keyof In<K> ? ("next" extends keyof Out<K> ? K : never) : never;
}[Name];
/** Operations whose answer is a list, at once or page by page. */
export type EveryName = {
  [K in Name]: Out<K> extends readonly unknown[] | { items: unknown[]; next: unknown } ? K : never;
}[Name];
export type Item<T> = T extends readonly (infer I)[] ? I : T extends { items: (infer I)[] } ? I : never;

/** One call of a batch. */
export type Step<K extends Name> = readonly [op: K, input: In<K>];

// -- the client ---------------------------------------------------------------------------------------------

export interface ClientOptions {
  /** Address of the server, such as `https://work.example.org`; on a page of the server it may be left out. */
  url?: string | URL | undefined;
  /** A key or session. Left out: the cookie of the page. */
  key?: string | undefined;
  /** What this program is called, 64 printable ASCII characters at most: `origin` of what it does. */
  name?: string | undefined;
  /** How long one try may take; 60 seconds unless given. */
  timeoutMs?: number | undefined;
  /** How often a call without an answer, or with 429, 502, 503, 504 or 507, is tried again; 4 unless given. */
  retries?: number | undefined;
  /** A server that asks for more patience than this is not waited for; 30 seconds unless given. */
  longestWaitMs?: number | undefined;
  /** In place of the `fetch` of the platform. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

export interface CallOptions {
  /** Ends the call: it is rejected with the reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** Of a write that was tried before: the same key does it once. Each call has one of its own unless given. */
  idempotencyKey?: string | undefined;
}

export interface AskOptions extends CallOptions {
  /** `etag` of an earlier answer: where it still holds nothing is sent, and `fresh` is false. */
  etag?: string | undefined;
}

/** An answer and what came beside it. */
export type Reply<T> = ({ fresh: true; data: T } | { fresh: false; data: undefined }) & {
  /** Number of the last event as of this answer. */
  seq: number;
  etag: string | undefined;
  /** The answer is one that was given before, to the same idempotency key. */
  replayed: boolean;
};

export interface PageOptions extends CallOptions {
  /** How many pages are fetched at most; 1,000 unless given. */
  most?: number | undefined;
}

export interface Client {
  readonly url: string;
  /** The key or session in use; set by `device`. */
  key: string | undefined;
  /** The latest event number seen. */
  readonly seq: number;

  /** Run an operation. Rejected with a `Problem` where it is refused, with `Unreachable` where no answer came. */
  call<K extends ColumnedName>(op: K, input: WithColumns<K>, options?: CallOptions): Promise<Columns<K>>;
  call<K extends Name>(op: K, ...rest: Rest<K>): Promise<Out<K>>;

  /** The same, with what came beside the answer. */
  ask<K extends ColumnedName>(op: K, input: WithColumns<K>, options?: AskOptions): Promise<Reply<Columns<K>>>;
  ask<K extends Name>(op: K, input: Rest<K>[0], options?: AskOptions): Promise<Reply<Out<K>>>;

  /** Each page of a list. */
  paged<K extends ColumnedName>(op: K, input: WithColumns<K>, options?: PageOptions): AsyncIterable<Columns<K>>;
  paged<K extends PagedName>(op: K, input?: Rest<K>[0], options?: PageOptions): AsyncIterable<Out<K>>;

  /** Each entry of a list, over all its pages. */
  every<K extends ColumnedName>(op: K, input: WithColumns<K>, options?: PageOptions): AsyncIterable<Item<Columns<K>>>;
  every<K extends EveryName>(op: K, input?: Rest<K>[0], options?: PageOptions): AsyncIterable<Item<Out<K>>>;

  /** Run up to 50 operations in one transaction: all of them, or none. Answers what each answered. */
  batch<K extends readonly Name[]>(
    steps: readonly [...{ [I in keyof K]: Step<K[I]> }],
    options?: CallOptions,
  ): Promise<{ -readonly [I in keyof K]: Out<K[I]> }>;

  /** What happens, as it happens. The connection comes back by itself; the loop ends by `signal`, or after `bye`. */
  stream(options?: StreamOptions): AsyncGenerator<StreamMessage, void, undefined>;

  /** Send a file in pieces, each from where the server has it. Answers what `attachments.add` and others take. */
  upload(file: Blob | BufferSource | string, options?: UploadOptions): Promise<Uploaded>;

  /** An attachment by its id, or what a link of this server leads to, read from the `Response` as it comes. */
  download(file: string, options?: DownloadOptions): Promise<Response>;

  /** Sign in by a code that a person approves in a browser. Answers the key, which this client uses from then on. */
  device(options: DeviceOptions): Promise<string>;
}

// -- the stream ---------------------------------------------------------------------------------------------

export interface StreamOptions {
  /** The last event that is known; left out: from now on. */
  since?: number | undefined;
  /** Kinds of events, such as `comment.created` or `issue.*`. */
  kinds?: readonly (EventKind | `${string}.*`)[] | undefined;
  subjects?: readonly string[] | undefined;
  /** What there is in place of events: one message for each commit, for clients that began with `sync.snapshot`. */
  rows?: boolean | undefined;
  /** With `rows`: the projects whose issues are kept. */
  projects?: readonly string[] | undefined;
  /** With `rows`: how long ago something was done that is kept. */
  closedDays?: number | undefined;
  /** With `rows`: `access` of the snapshot. */
  access?: number | undefined;
  signal?: AbortSignal | undefined;
  /** After how much silence a connection is dead; 45 seconds unless given: the server says something each 15. */
  timeoutMs?: number | undefined;
  /** How often in a row it is tried to come back; 10 unless given, `Infinity` for a page that stays open. */
  retries?: number | undefined;
  /** Called when the connection is lost, and how long it is waited before the next try. */
  onBreak?: ((error: unknown, pauseMs: number) => void) | undefined;
}

/** One message; `kind` says which. */
export type StreamMessage =
  | { kind: "hello"; seq: number; server: string; access?: number }
  | ({ kind: "rows" } & Omit<SyncDelta, "more">)
  | { kind: "notifications"; number: number }
  | ({ kind: "presence" } & Record<string, unknown>)
  | { kind: "bye"; reason: ProblemSlug }
  | (Omit<Event, "kind"> & { kind: EventKind });

// -- files --------------------------------------------------------------------------------------------------

export interface UploadOptions {
  /** What the file is called; else its own name, or `file`. */
  name?: string | undefined;
  /** An upload that began earlier and is gone on with. */
  upload?: string | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** How often in a row a piece is tried that brings nothing forward; 4 unless given. */
  retries?: number | undefined;
  /** Size of a piece; 2 MiB unless given. */
  pieceBytes?: number | undefined;
  /** Called once the upload has an id, and behind each piece. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Uploaded {
  /** Its id: for `attachments.add`, `imports.open`, or `uploads` of a comment that does not wait for it. */
  upload: string;
  size: number;
}

export interface Progress extends Uploaded {
  sent: number;
}

export interface DownloadOptions {
  /** A picture this many pixels wide. */
  width?: number | undefined;
  /** From this byte on: the answer is 206 then. */
  from?: number | undefined;
  /** With `from`: `etag` of what is there already; the file comes whole where it is another one now. */
  etag?: string | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
}

// -- sign-in ------------------------------------------------------------------------------------------------

export interface DeviceOptions {
  /** What is shown to the person who approves. */
  name: string;
  /** What the key should hold; left out: what the person's role reads and writes. */
  scopes?: readonly string[] | undefined;
  /** With the rights of an admin, too, where the person has them. */
  admin?: boolean | undefined;
  /** Shows the person the address to open, and the code; it is waited for. */
  show: (started: { url: string; code: string; expiresInS: number }) => unknown;
  signal?: AbortSignal | undefined;
}

// -- refusals -----------------------------------------------------------------------------------------------

export interface ProblemError {
  /** The field, such as `items[0].title`. */
  path: string;
  message: string;
  /** What it may hold. */
  allowed?: unknown[];
}

/** The server refused. */
export declare class Problem extends Error {
  constructor(status: number, document: Record<string, unknown>, retryAfter?: number);
  readonly name: "Problem";
  readonly status: number;
  /** Which refusal it is; `http-502` and the like where something in between answered. */
  readonly slug: ProblemSlug | `http-${number}`;
  readonly title: string;
  /** What to mend. */
  readonly detail: string;
  /** The fields that do not fit. */
  readonly errors: readonly ProblemError[];
  /** After how many seconds the call may succeed. */
  readonly retryAfter: number | undefined;
  /** Everything that the server said, such as `current` of a stale change. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** No answer came. `cause` says why. */
export declare class Unreachable extends Error {
  constructor(message: string, cause?: unknown);
  readonly name: "Unreachable";
}
