/** Signing in by device code: a person approves the code in a browser, and a key comes back. */
import type * as told from "../types/index.d.ts";
import type { Core } from "./core.ts";
import { sleep } from "./exchange.ts";
import { Problem, Unreachable } from "./problem.ts";

/** What RFC 8628 adds to the interval when the server says `slow_down`. */
const SLOWER_S = 5;
/** Statuses of a server that is busy or starts anew: the code is as good afterwards. */
const PASSING = [429, 500, 502, 503, 504];

export async function device(core: Core, options: told.DeviceOptions): Promise<string> {
  const { name: client, scopes, admin, signal } = options;
  const started = (await core.call("auth.device_start", { client, scopes, admin }, { signal })) as told.DeviceStarted;
  const { user_code: code, expires_in: expiresInS } = started;
  await options.show({ url: `${core.url}${started.verification_path}?code=${code}`, code, expiresInS });
  const ends = Date.now() + expiresInS * 1000;
  let intervalS = started.interval;
  while (Date.now() < ends) {
    const found = await poll(core, started.device_code, signal);
    if (found?.state === "approved") return (core.key = found.token!);
    if (found?.state === "denied") throw new Problem(403, { title: "The code was denied in the browser" });
    if (found?.state === "expired") break;
    if (found?.state === "slow_down") intervalS += SLOWER_S;
    await sleep(intervalS * 1000, signal);
  }
  throw new Problem(408, { title: "The code ran out before it was approved; sign in again" });
}

/** What became of the code; nothing where nobody answers for now. */
async function poll(core: Core, code: string, signal?: AbortSignal): Promise<told.DevicePoll | undefined> {
  try {
    return (await core.call("auth.device_poll", { device_code: code }, { signal })) as told.DevicePoll;
  } catch (error) {
    if (error instanceof Unreachable || (error instanceof Problem && PASSING.includes(error.status))) return undefined;
    throw error;
  }
}
