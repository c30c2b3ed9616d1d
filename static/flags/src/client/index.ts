/** The client for programs that answer for many: a context with each call, by a server key. */
import type { Detail } from "../engine/details.ts";
import { DiskCache } from "./cache.ts";
import { Core } from "./core.ts";
import { opened } from "./envelope.ts";
import { type Options, settings } from "./options.ts";

export { Context } from "../engine/contexts.ts";
export type { Detail, ErrorKind, Reason } from "../engine/details.ts";

export interface ServerOptions extends Options {
  sdkKey: string;
}

export class Client extends Core {
  constructor(options: ServerOptions) {
    const found = settings(options as ServerOptions & Record<string, unknown>, "sdkKey");
    const cache = options.cachePath === undefined ? undefined : new DiskCache(options.cachePath);
    super(found, (content) => opened(content, found.credential), cache);
    void this._follower._start();
  }

  boolean(key: string, fallback: boolean, context: unknown): boolean {
    return this._detail(key, fallback, context, "boolean").value as boolean;
  }

  string(key: string, fallback: string, context: unknown): string {
    return this._detail(key, fallback, context, "string").value as string;
  }

  number(key: string, fallback: number, context: unknown): number {
    return this._detail(key, fallback, context, "number").value as number;
  }

  json(key: string, fallback: unknown, context: unknown): unknown {
    return this._detail(key, fallback, context, "any").value;
  }

  booleanDetail(key: string, fallback: boolean, context: unknown): Detail {
    return this._detail(key, fallback, context, "boolean");
  }

  stringDetail(key: string, fallback: string, context: unknown): Detail {
    return this._detail(key, fallback, context, "string");
  }

  numberDetail(key: string, fallback: number, context: unknown): Detail {
    return this._detail(key, fallback, context, "number");
  }

  jsonDetail(key: string, fallback: unknown, context: unknown): Detail {
    return this._detail(key, fallback, context, "any");
  }

  /** Tell of something that happened. The service takes it and does not keep it. */
  track(name: string, context: unknown, data: unknown = null): void {
    this._tell("track", context, { name, data });
  }

  /** Tell of a context. The service takes it and does not keep it. */
  identify(context: unknown): void {
    this._tell("identify", context);
  }
}

export const createClient = (options: ServerOptions): Client => new Client(options);
