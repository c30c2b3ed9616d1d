/** The classes of the sources are as they are told; types that are handed out stand once, and the sources take them. */
import type { BrowserClient } from "../src/client/browser.ts";
import type { Client } from "../src/client/index.ts";
import type { TestClient } from "../src/client/testing.ts";
import { Context, type Detail, Snapshot } from "../src/engine/index.ts";
import type * as sources from "../src/react/index.ts";
import type { KbworkProvider } from "../src/openfeature/server.ts";
import type { KbworkWebProvider } from "../src/openfeature/web.ts";
import type * as browser from "./browser.d.ts";
import type * as told from "./engine.d.ts";
import type * as server from "./index.d.ts";
import type * as forServers from "./openfeature-server.d.ts";
import type * as forPages from "./openfeature-web.d.ts";
import type * as react from "./react.d.ts";
import type * as testing from "./testing.d.ts";

export const snapshot: typeof told.Snapshot = Snapshot;
export const context: Pick<typeof told.Context, "hashed"> = Context;
export const made: told.Context = new Context({});

/** Sources name no type of a value in details: it is the one of the call. */
type Loosely<T> = {
  [Name in keyof T]: T[Name] extends (...given: infer G) => server.DetailOf<unknown> ? (...given: G) => Detail : T[Name];
};

export const client = (one: Client): Loosely<server.Client> => one;
export const page = (one: BrowserClient): Loosely<browser.BrowserClient> => one;
export const tests = (one: TestClient): Loosely<testing.TestClient> => one;
export const stands: (one: testing.TestClient) => [server.Client, browser.BrowserClient] = (one) => [one, one];

/** Sources name no type of a resolution: it is the one of the call. */
type Resolving<T> = {
  [Name in keyof T]: Name extends `resolve${string}` ? (key: string, fallback: never, context: object) => unknown : T[Name];
};

export const provider = (one: KbworkProvider): Resolving<forServers.KbworkProvider> => one;
export const pageProvider = (one: KbworkWebProvider): Resolving<forPages.KbworkWebProvider> => one;

export const hooks = (told: typeof react): Record<keyof typeof sources, unknown> => told;
export const held = (one: Client | BrowserClient | TestClient): Parameters<typeof sources.FlagsProvider>[0]["client"] => one;
export const flag: (use: typeof react.useFlag) => [boolean, string, { readonly size: number }] = (use) => [
  use("on", false),
  use("text", "a"),
  use("tree", { size: 1 }),
];
