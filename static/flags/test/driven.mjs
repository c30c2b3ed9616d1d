/**
 * A client that does what lines of JSON say, and answers each by a line: for whoever tries several libraries against one
 * service. `node driven.mjs server|page OPTIONS`
 */
import { createInterface } from "node:readline";
import * as page from "@kbwork/flags/browser";
import * as server from "@kbwork/flags";

const [kind, options] = process.argv.slice(2);
const trueNow = Date.now;
let aheadMs = 0;
Date.now = () => trueNow() + aheadMs;
const logger = { warn: () => {}, error: () => {} };
const client = (kind === "page" ? page : server).createClient({ ...JSON.parse(options), logger });

const does = {
  served: ({ flag, fallback, context }) => client.booleanDetail(flag, fallback, context),
  ready: ({ timeoutMs }) => client.ready(timeoutMs),
  state: () => ({ version: client.version, ...client.status }),
  flush: () => client.flush(),
  clock: (told) => void ({ aheadMs } = told),
  close: () => client.close(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { what, ...told } = JSON.parse(line);
  console.log(JSON.stringify((await does[what](told)) ?? null));
}
