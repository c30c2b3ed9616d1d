/** The client for programs that answer for many: a context with each call, by a server key. */
import type { DetailOf, Follows, Options } from "./client.js";
import type { Detail } from "./engine.js";

export { Context } from "./engine.js";
export type { Detail, ErrorKind, Reason } from "./engine.js";
export type { DetailOf, Logger, Options, Status } from "./client.js";

export interface ServerOptions extends Options {
  /** Of a back end, `srv_...`; it stays secret. */
  sdkKey: string;
}

/**
 * Typed calls take a flag's key, the default, and the context: an object, or a Context that serves many calls. They
 * answer the default, with a reason, where anything is wrong. They never throw and never wait.
 */
export interface Client extends Follows {
  boolean(key: string, fallback: boolean, context: unknown): boolean;
  string(key: string, fallback: string, context: unknown): string;
  number(key: string, fallback: number, context: unknown): number;
  /** Of any kind; what is an object or a list is the caller's own copy. */
  json(key: string, fallback: unknown, context: unknown): unknown;
  booleanDetail(key: string, fallback: boolean, context: unknown): DetailOf<boolean>;
  stringDetail(key: string, fallback: string, context: unknown): DetailOf<string>;
  numberDetail(key: string, fallback: number, context: unknown): DetailOf<number>;
  jsonDetail(key: string, fallback: unknown, context: unknown): DetailOf<unknown>;
  /** Calls this with the answer when what a flag serves to a context is another than before; answers what ends it. */
  watch(key: string, heard: (detail: Detail) => void, context: unknown): () => void;
  /** Tells of something that happened. The service takes it and does not keep it. */
  track(name: string, context: unknown, data?: unknown): void;
  /** Tells of a context. The service takes it and does not keep it. */
  identify(context: unknown): void;
}

/** Throws TypeError for options that cannot be. Make one for the program, and close it at the end. */
export declare const createClient: (options: ServerOptions) => Client;
