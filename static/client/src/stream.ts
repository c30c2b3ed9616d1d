/** The event stream by `fetch`, so that it takes a key; opened anew where it left off. */
import type * as told from "../types/index.d.ts";
import type { Core } from "./core.ts";
import { backoffMs, sleep } from "./exchange.ts";
import { Problem, Unreachable } from "./problem.ts";

/** The server sends a comment every 15 s: after three without one the connection is dead. */
const SILENCE_MS = 45_000;
const PASSING = [429, 500, 502, 503, 504];

type Data = Record<string, unknown> & { kind: string; seq: number; access?: number };

export async function* stream(
  core: Core,
  options: told.StreamOptions = {},
): AsyncGenerator<told.StreamMessage, void, undefined> {
  const { signal, retries = 10 } = options;
  let { since, access } = options;
  let tries = 0;
  while (!signal?.aborted) {
    const ends = new AbortController();
    const stop = (): void => ends.abort();
    signal?.addEventListener("abort", stop);
    try {
      const silenceMs = options.timeoutMs ?? SILENCE_MS;
      for await (const [id, text] of messages(await open(core, options, since, access, ends.signal), silenceMs, ends)) {
        const data = JSON.parse(text) as Data;
        tries = 0;
        if (data.kind === "gap") {
          const detail = `Events after ${since} are no longer kept; the oldest is ${data["oldest"]}.`;
          throw new Problem(409, { ...data, type: "/problems/stale", title: "Stale", detail });
        }
        // Whoever named no place stands where the server begins.
        if (data.kind === "hello") {
          since ??= data.seq;
          access ??= data.access;
        }
        if (data.kind === "rows") access = data.access;
        if (id) since = Number(id);
        yield data as unknown as told.StreamMessage;
        if (data.kind === "bye") return;
      }
      throw new Unreachable(`${core.url}: the stream ended`);
    } catch (error) {
      if (signal?.aborted) return;
      const refused = error instanceof Problem;
      if (refused && (tries >= retries || !PASSING.includes(error.status))) throw error;
      if (tries >= retries) throw new Unreachable(`${core.url} stays away`, error);
      const pauseMs = Math.max((refused && error.retryAfter ? error.retryAfter : 0) * 1000, backoffMs(tries++));
      options.onBreak?.(error, pauseMs);
      await sleep(pauseMs, signal).catch(() => {});
    } finally {
      signal?.removeEventListener("abort", stop);
      ends.abort();
    }
  }
}

const open = (
  core: Core,
  { kinds, subjects, rows, projects, closedDays }: told.StreamOptions,
  since: number | undefined,
  access: number | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  // Without names the kind stands in the data: one shape for every message.
  const asked = new URLSearchParams({ plain: "1" });
  const more = { since, kinds, subjects, ...(rows ? { rows: 1, projects, closed_days: closedDays, access } : {}) };
  for (const [name, value] of Object.entries(more)) if (value !== undefined) asked.set(name, String(value));
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (since !== undefined) headers["Last-Event-ID"] = String(since);
  const init: RequestInit & { headers: Record<string, string> } = { headers, cache: "no-store" };
  return core._exchange(`/api/v1/stream?${asked}`, init, { signal, retries: 0 }, (answer) => answer);
};

/** The id and the data of each message; one that is cut off is none. */
async function* messages(answer: Response, silenceMs: number, ends: AbortController): AsyncGenerator<[string, string]> {
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data: string[] = [];
  for (;;) {
    const timer = setTimeout(() => ends.abort(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const [, field, text] = /^(\w*):? ?(.*?)\r?$/.exec(line) ?? [];
      if (field === "id") id = text!;
      else if (field === "data") data.push(text!);
      else if (!field && !text && !line.startsWith(":")) {
        if (data.length) yield [id, data.join("\n")];
        id = "";
        data = [];
      }
    }
  }
}
