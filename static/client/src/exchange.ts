/** One request with patience: bounded in time, ended by its caller, and tried again where that may help. */
import type * as told from "../types/index.d.ts";
import { isOurs, problemOf, Unreachable } from "./problem.ts";

export type Send = (url: string, init: RequestInit) => Promise<Response>;

export interface Patience {
  signal: AbortSignal | undefined;
  timeoutMs: number;
  retries: number;
  longestWaitMs: number;
}

/** 0.2 s, doubling up to 30 s, with up to a quarter more, so that many clients do not come back at once. */
export const backoffMs = (tries: number): number => Math.min(200 * 2 ** tries, 30_000) * (1 + Math.random() / 4);

/** Rejected with the reason of the signal. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** What `take` makes of the answer. Rejected with a Problem, with Unreachable, or with the reason of the signal. */
export async function exchange<T>(
  send: Send,
  url: string,
  init: RequestInit,
  patience: Patience,
  take: (answer: Response) => T | Promise<T>,
): Promise<T> {
  // What is wrong with the request itself is told at once: fetch would call it a fault of the network.
  const request = { redirect: "manual", ...init, headers: new Headers(init.headers) } as const;
  new URL(url);
  for (let tries = 0; ; tries++) {
    let pauseMs: number;
    try {
      const found = await once(send, url, request, patience, take);
      if (!("problem" in found)) return found.made;
      const { problem, ours } = found;
      pauseMs = waitMs(problem, ours, tries);
      // A server that asks for more than that is not waited for.
      if (tries >= patience.retries || pauseMs > patience.longestWaitMs) throw problem;
    } catch (error) {
      patience.signal?.throwIfAborted();
      if (!(error instanceof Cut)) throw error;
      if (tries >= patience.retries || error.late) throw new Unreachable(`${url}: ${error.message}`, error.cause);
      pauseMs = backoffMs(tries);
    }
    await sleep(pauseMs, patience.signal);
  }
}

/** Infinity where it is of no use to try again. */
const waitMs = (problem: told.Problem, ours: boolean, tries: number): number => {
  const { status, retryAfter } = problem;
  const busy = status === 429 || status === 503 || status === 507;
  if (busy && retryAfter !== undefined) return Math.max(retryAfter * 1000, backoffMs(tries));
  return status === 503 || ((status === 502 || status === 504) && !ours) ? backoffMs(tries) : Infinity;
};

/** The connection ended, or nothing came in time. */
class Cut extends Error {
  readonly late: boolean;
  constructor(cause: unknown, late: boolean) {
    super(late ? "no answer in time" : "cannot be reached", { cause });
    this.late = late;
  }
}

async function once<T>(
  send: Send,
  url: string,
  init: RequestInit,
  { signal, timeoutMs }: Patience,
  take: (answer: Response) => T | Promise<T>,
): Promise<{ made: T } | { problem: told.Problem; ours: boolean }> {
  signal?.throwIfAborted();
  const ends = new AbortController();
  const stop = (): void => ends.abort(signal!.reason);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ends.abort();
  }, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  let answer: Response | undefined;
  try {
    answer = await send(url, { ...init, signal: ends.signal });
    if (answer.ok || answer.status === 304) return { made: await take(answer) };
    return { problem: problemOf(answer, await answer.text()), ours: isOurs(answer) };
  } catch (error) {
    throw error instanceof SyntaxError ? problemOf(answer!, "") : new Cut(error, late);
  } finally {
    clearTimeout(timer);
    // A body that is read later ends with the signal, too.
    if (!answer?.body || answer.bodyUsed) signal?.removeEventListener("abort", stop);
  }
}
