/** The types that are handed out are those of the sources. */
import type { BrowserClient, BrowserOptions } from "../src/client/browser.ts";
import type { Client, ServerOptions } from "../src/client/index.ts";
import type { TestClient, TestOptions } from "../src/client/testing.ts";
import { Context, Snapshot, type Detail, type Wanted } from "../src/engine/index.ts";
import type * as browser from "./browser.d.ts";
import type * as told from "./engine.d.ts";
import type * as server from "./index.d.ts";
import type * as testing from "./testing.d.ts";

export const snapshot: typeof told.Snapshot = Snapshot;
export const context: Pick<typeof told.Context, "hashed"> = Context;
export const made: told.Context = new Context({});
export const detail = (one: Detail): told.Detail => one;
export const same = (one: told.Detail): Detail => one;
export const wanted = (one: told.Wanted): Wanted => one;

/** Sources name no type of a value in details: it is the one of the call. */
type Loosely<T> = {
  [Name in keyof T]: T[Name] extends (...given: infer G) => server.DetailOf<unknown> ? (...given: G) => Detail : T[Name];
};

export const client = (one: Client): Loosely<server.Client> => one;
export const options = (one: server.ServerOptions): ServerOptions => one;
export const page = (one: BrowserClient): Loosely<browser.BrowserClient> => one;
export const pageOptions = (one: browser.BrowserOptions): BrowserOptions => one;
export const tests = (one: TestClient): Loosely<testing.TestClient> => one;
export const testOptions = (one: testing.TestOptions): TestOptions => one;
export const stands: (one: testing.TestClient) => [server.Client, browser.BrowserClient] = (one) => [one, one];
