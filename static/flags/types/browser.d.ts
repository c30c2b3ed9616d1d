/** The client for pages: one context at a time, by a client-side ID. */
import type { DetailOf, Follows, Options } from "./client.js";
import type { Detail } from "./engine.js";

export { Context } from "./engine.js";
export type { Detail, ErrorKind, Reason, Wanted } from "./engine.js";
export type { DetailOf, Logger, Options, Status } from "./client.js";

export interface BrowserOptions extends Options {
  /** Of an app, `cli_...`; it is public, and sees only the flags that are for apps. */
  clientId: string;
  /** Who flags are evaluated for at first, as by `identify`. */
  context?: unknown;
  /** The body of `/sdk/v1/snapshot` for this ID, put into the page: its text, or as JSON reads it. */
  bootstrap?: unknown;
}

/** As the server's client, for the context that `identify` told. */
export interface BrowserClient extends Follows {
  boolean(key: string, fallback: boolean): boolean;
  string(key: string, fallback: string): string;
  number(key: string, fallback: number): number;
  /** Of any kind; what is an object or a list is the caller's own copy. */
  json(key: string, fallback: unknown): unknown;
  booleanDetail(key: string, fallback: boolean): DetailOf<boolean>;
  stringDetail(key: string, fallback: string): DetailOf<string>;
  numberDetail(key: string, fallback: number): DetailOf<number>;
  jsonDetail(key: string, fallback: unknown): DetailOf<unknown>;
  /** From now on flags are evaluated for this context; it is done when that is so. Nothing is sent. */
  identify(context: unknown): Promise<void>;
  /** Calls this with the answer when what a flag serves is another than before; answers what ends it. */
  watch(key: string, heard: (detail: Detail) => void): () => void;
  /** Tells of something that happened. The service takes it and does not keep it. */
  track(name: string, data?: unknown): void;
}

/** Throws TypeError for options that cannot be. */
export declare const createClient: (options: BrowserOptions) => BrowserClient;
