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

/** As the server seals a snapshot for a key, or a delta where there is a base. */
export function sealed(content, version, key = SDK_KEY, base = undefined) {
  const isDelta = base !== undefined;
  const [salt, nonce, head] = [Buffer.from("0123456789abcdef"), randomBytes(12), Buffer.alloc(isDelta ? 58 : 50)];
  head.write("KBF1");
  head[4] = 1;
  head[5] = isDelta ? 3 : 1;
  if (isDelta) head.writeBigUInt64BE(BigInt(base), 50);
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
    /** How editions begin: a server that was set back has others. */
    edition: "e",
    /** The versions that are known, as they were asked for. */
    past: new Map(),
    /** What each request for a snapshot named, and what is answered first, one after another, to whoever names one. */
    since: [],
    rigged: [],
    /** Nothing is answered at all. */
    isSilent: false,
    asked: [],
    sent: "",
    batches: [],
    streams: [],
    url: "",
    data() {
      const { edition, flags, keySalt, version } = service;
      const environment = { id: 1, key: "p", version };
      return { format: 1, edition: `${edition}${version}`, environment, flags: { ...flags }, segments: {}, keySalt };
    },
    content: () => JSON.stringify(service.data()),
    /** What changed since a version that is known. */
    delta(since) {
      const [old, now] = [service.past.get(since), service.data()];
      const news = Object.entries(now.flags).filter(([key, flag]) => JSON.stringify(flag) !== JSON.stringify(old.flags[key]));
      const gone = Object.keys(old.flags).filter((key) => !(key in now.flags));
      const { keySalt, ...told } = now;
      const base = { version: since, edition: old.edition };
      return { ...told, base, flags: Object.fromEntries(news), removed: { flags: gone, segments: [] } };
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
  const since = new URLSearchParams(search).get("since");
  service.since.push(since);
  if (since && service.rigged.length) {
    answer.setHeader("ETag", `"rigged ${service.rigged.length}"`);
    return void answer.end(service.rigged.shift());
  }
  const isKnown = service.past.get(Number(since))?.keySalt === service.keySalt && service.past.has(Number(since));
  const base = isKnown && Number(since) !== service.version ? Number(since) : undefined;
  const content = base === undefined ? service.content() : JSON.stringify(service.delta(base));
  service.past.set(service.version, service.data());
  const isPlain = request.headers.authorization.endsWith(CLIENT_ID);
  const made = service.makes?.(content, service.version);
  answer.end(made ?? (isPlain ? content : sealed(content, service.version, SDK_KEY, base)));
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
