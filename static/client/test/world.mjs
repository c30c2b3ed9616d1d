/** The server that the tests talk to, told by the environment, and clients for it. */
import { kbwork } from "@kbwork/client";
import { hostile } from "./hostile.mjs";

export const URL_ = process.env.KBWORK_URL;
export const KEY = process.env.KBWORK_KEY;
export const SESSION = process.env.KBWORK_SESSION;

export const client = (options = {}) => kbwork({ url: URL_, key: KEY, ...options });

/** A client behind a hostile server with these faults. */
export async function behind(test, faults, options = {}) {
  const server = await hostile(URL_, faults);
  test.after(() => server.close());
  return { kb: client({ url: server.url, ...options }), seen: server.seen };
}
