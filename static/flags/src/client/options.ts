/** What a client is told when it is made. */
import type { Logger, Options } from "../../types/client.d.ts";
import { isObject } from "../engine/values.ts";

export type { Logger, Options } from "../../types/client.d.ts";

export const BASE_URL = "http://127.0.0.1:8080";

/** The options, with what was left out. */
export interface Settings {
  readonly credential: string;
  /** Where the library's addresses begin. */
  readonly url: string;
  readonly initTimeoutMs: number;
  readonly sendEvents: boolean;
  readonly flushIntervalMs: number;
  readonly privateAttributes: readonly string[];
  readonly fetch: typeof fetch;
  readonly log: Logger;
}

/** Throws TypeError for what cannot be: that is a mistake in the program, found where it is made. */
export function settings(options: Options & Record<string, unknown>, keyName: string): Settings {
  if (!isObject(options)) throw new TypeError(`name a ${keyName}`);
  const { [keyName]: credential, baseUrl = BASE_URL, initTimeoutMs = 5_000, flushIntervalMs = 300_000 } = options;
  if (typeof credential !== "string" || credential === "") throw new TypeError(`name a ${keyName}`);
  if (!/^[!-~]+$/.test(credential)) throw new TypeError(`the ${keyName} holds characters that no key has`);
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new TypeError("baseUrl should be an address such as https://work.example");
  if (!(initTimeoutMs >= 0)) throw new TypeError("initTimeoutMs should be at least 0");
  if (!(flushIntervalMs >= 1)) throw new TypeError("flushIntervalMs should be at least 1");
  if (!Array.isArray(options.privateAttributes ?? [])) throw new TypeError("privateAttributes should be a list");
  return {
    credential,
    url: `${new URL(baseUrl).href.replace(/\/+$/, "")}/sdk/v1`,
    initTimeoutMs,
    sendEvents: options.sendEvents ?? true,
    flushIntervalMs,
    privateAttributes: options.privateAttributes ?? [],
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    log: patient(options.logger ?? console),
  };
}

/** Whoever keeps the log may fail: the program goes on. */
function patient(logger: Logger): Logger {
  const told = (name: "warn" | "error", ...what: [text: string, error?: unknown]): void => {
    try {
      (logger[name] as (...what: unknown[]) => void)(...what);
    } catch {
      // There is nobody left to tell.
    }
  };
  return { warn: (text) => told("warn", text), error: (text, error) => told("error", text, error) };
}
