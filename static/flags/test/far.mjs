/** The far end of the wire: a service that answers as it is told, and remembers what it was asked. */
import { createCipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { deflateSync } from "node:zlib";

export const SDK_KEY = `srv_${"k".repeat(40)}`;
export const CLIENT_ID = `cli_${"c".repeat(24)}`;
export const MIRA = { key: "mira", email: "mira@acme.example" };

export const flag = (value = true, changed = {}) => ({
  version: 4,
  on: true,
  offVariation: 1,
  fallthrough: { variation: 0 },
  salt: "s",
  variations: [{ value }, { value: false }],
  ...changed,
});

/** As the server seals a snapshot for a key. */
export function sealed(content, version, key = SDK_KEY) {
  const [salt, nonce, head] = [Buffer.from("0123456789abcdef"), randomBytes(12), Buffer.alloc(50)];
  head.write("KBF1");
  head[4] = head[5] = 1;
  createHash("sha256").update(key).digest().copy(head, 6, 0, 8);
  head.writeBigUInt64BE(BigInt(version), 14);
  salt.copy(head, 22);
  nonce.copy(head, 38);
  const secret = Buffer.from(hkdfSync("sha256", key, salt, "kbwork flags snapshot 1", 32));
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(head);
  return Buffer.concat([head, cipher.update(deflateSync(content)), cipher.final(), cipher.getAuthTag()]);
}

/** One environment, ended with the test. What is set here counts for the next request. */
export async function far(test) {
  const service = {
    flags: { on: flag() },
    keySalt: undefined,
    version: 1,
    /** Answered to all, and those that are answered first, one after another. */
    status: { snapshot: 200, stream: 200, events: 202 },
    statuses: { snapshot: [], stream: [], events: [] },
    retryAfter: "1",
    /** Made of the content and its version; instead of the envelope. */
    makes: undefined,
    /** Nothing is answered at all. */
    isSilent: false,
    asked: [],
    sent: "",
    batches: [],
    streams: [],
    url: "",
    content() {
      const { flags, keySalt, version } = service;
      return JSON.stringify({ format: 1, environment: { id: 1, key: "p", version }, flags, segments: {}, keySalt });
    },
    change(flags = {}) {
      service.flags = { ...service.flags, ...flags };
      service.version++;
      service.say("change", { version: service.version });
    },
    say(kind, data) {
      const text = `event: ${kind}\nid: ${service.version}\ndata: ${JSON.stringify(data)}\n\n`;
      for (const stream of service.streams) stream.write(text);
    },
    hangUp() {
      for (const stream of service.streams.splice(0)) stream.destroy();
    },
    count: (name) => service.asked.filter((one) => one.name === name).length,
  };
  const server = createServer((request, answer) => void answered(service, request, answer));
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  service.url = `http://127.0.0.1:${server.address().port}`;
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return service;
}

async function answered(service, request, answer) {
  const { pathname, search } = new URL(request.url, service.url);
  const name = pathname.replace("/sdk/v1/", "");
  const at = performance.now();
  let body = "";
  for await (const part of request) body += part;
  service.sent += `${request.url} ${JSON.stringify(request.headers)} ${body}`;
  const status = service.isSilent ? 0 : (service.statuses[name].shift() ?? service.status[name]);
  service.asked.push({ name, at, status, headers: request.headers, search });
  if (service.isSilent) return;
  if (name === "events") service.batches.push({ ...JSON.parse(body), answered: status });
  if (status === 429) answer.setHeader("Retry-After", service.retryAfter);
  answer.statusCode = status;
  if (status !== 200 || name === "events") return void answer.end("{}");
  if (name === "stream") {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    answer.write(`retry: 2000\n\n:\n\nevent: hello\r\ndata: {"version":${service.version}}\r\n\r\n`);
    service.streams.push(answer);
    return;
  }
  const tag = `"${service.version}-1"`;
  answer.setHeader("ETag", tag);
  if (request.headers["if-none-match"] === tag) {
    answer.statusCode = 304;
    return void answer.end();
  }
  const isPlain = request.headers.authorization.endsWith(CLIENT_ID);
  const made = service.makes?.(service.content(), service.version);
  answer.end(made ?? (isPlain ? service.content() : sealed(service.content(), service.version)));
}

/** A logger that keeps what it is told. */
export const logger = () => {
  const told = [];
  return { told, warn: (text) => told.push(text), error: (text, error) => told.push(`${text} ${error}`) };
};

/** Waits until this holds. */
export async function until(holds, what = holds.toString()) {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 400) throw new Error(`not within ten seconds: ${what}`);
    await pause(25);
  }
}

const atOnce = setTimeout;
export const pause = (ms) => new Promise((done) => atOnce(done, ms));

/** Whatever waits for ten seconds or more waits a hundredth of it: for what a client does in half a minute. */
export function hastened() {
  globalThis.setTimeout = (run, ms, ...more) => atOnce(run, ms >= 10_000 ? ms / 100 : ms, ...more);
}

/** How often what was counted, by what; only what the service took. */
export function summed(service) {
  const found = {};
  for (const { events, answered } of service.batches) {
    if (answered !== 202) continue;
    for (const { kind, flag: key, version, variation, reason, count } of events) {
      if (kind !== "summary") continue;
      const name = [key, version, variation, reason].join(" ");
      found[name] = (found[name] ?? 0) + count;
    }
  }
  return found;
}
