import assert from "node:assert/strict";
import { test } from "node:test";
import { SESSION, behind, client } from "./world.mjs";

/** The messages of a stream until one fits. */
async function until(stream, fits) {
  const found = [];
  for await (const message of stream) {
    found.push(message);
    if (fits(message, found)) break;
  }
  return found;
}

const issue = (kb, title) => kb.issues.create({ project: "WEB", title });

/** Other tests run meanwhile. */
const isOf = (name) => (message) => message.origin === name;

test("events come as they happen, from where one was", async () => {
  const kb = client({ name: "events" });
  const since = (await kb.ask("auth.me", {})).seq;
  const made = [await issue(kb, "before the stream")];
  const reader = until(kb.stream({ since, kinds: ["issue.created"] }), ({ payload }) => payload?.title === "on the stream");
  await kb.comments.create({ subject: `issue:${made[0].key}`, body: "Of another kind." });
  made.push(await issue(kb, "on the stream"));
  const [hello, ...events] = await reader;
  assert.equal(hello.kind, "hello");
  assert.deepEqual(
    events.filter(isOf("events")).map(({ kind, subject }) => [kind, subject]),
    made.map(({ id }) => ["issue.created", `issue:${id}`]),
  );
});

test("a stream that is cut goes on where it was, and tells nothing twice", async (t) => {
  const sure = client({ name: "a stream that is cut" });
  const since = (await sure.ask("auth.me", {})).seq;
  await issue(sure, "first");
  const { kb, seen } = await behind(t, ["before", { answer: 90 }, { answer: 1500 }, { status: 503 }]);
  const breaks = [];
  const stream = kb.stream({ since, kinds: ["issue.created"], onBreak: (error, pauseMs) => breaks.push([error.name, pauseMs > 0]) });
  const found = [];
  for await (const message of stream) {
    if (!isOf("a stream that is cut")(message)) continue;
    found.push(message.payload.title);
    if (found.length === 4) break;
    await issue(sure, `after ${found.length}`);
  }
  assert.deepEqual(found, ["first", "after 1", "after 2", "after 3"]);
  assert.equal(seen.length, 5);
  assert.ok(breaks.length === 4 && breaks.every(([, waited]) => waited));
  assert.ok(Number(seen[4].headers["last-event-id"]) > since);
});

test("rows tell what there is, and go on with what was seen", async (t) => {
  const sure = client();
  const { seq, access } = await sure.sync.snapshot({ scopes: { projects: ["WEB"] } });
  const { kb, seen } = await behind(t, [{ answer: 300 }]);
  const stream = kb.stream({ rows: true, since: seq, access, projects: ["WEB"] });
  const made = await sure.issues.create({ project: "WEB", title: "In a row" });
  const found = await until(stream, ({ kind }) => kind === "rows");
  const [rows] = found.slice(-1);
  assert.ok(JSON.stringify(rows.upserts).includes(made.key));
  assert.ok(seen.every(({ url }) => url.includes("plain=1") && url.includes("rows=1") && url.includes(`access=${access}`)));
});

test("a stream ends by its signal, quietly", async () => {
  const ends = new AbortController();
  const found = [];
  for await (const message of client().stream({ signal: ends.signal })) {
    found.push(message.kind);
    ends.abort();
  }
  assert.deepEqual(found, ["hello"]);
});

test("a stream says goodbye when the rights of its caller end", async () => {
  const kb = client({ key: SESSION });
  const { secret, ...made } = await kb.keys.create({ name: "for a moment", scopes: ["api:read"] });
  const found = await until(client({ key: secret }).stream(), (message, all) => {
    if (all.length === 1) kb.keys.revoke({ id: made.id });
    return false;
  });
  assert.deepEqual(found.map(({ kind }) => kind), ["hello", "bye"]);
  assert.equal(found[1].reason, "unauthenticated");
  await assert.rejects(until(client({ key: secret }).stream(), () => true), { slug: "unauthenticated" });
});

test("events that are no longer kept are a refusal", async (t) => {
  const body = 'data: {"kind":"hello","seq":90,"server":"kbwork"}\n\n: ping\n\ndata: {"kind":"gap",\r\ndata: "oldest":40}\r\n\r\n';
  const { kb } = await behind(t, [{ status: 200, headers: { "content-type": "text/event-stream" }, body }]);
  await assert.rejects(until(kb.stream({ since: 7 }), () => false), (refused) => {
    assert.deepEqual([refused.slug, refused.document.oldest], ["stale", 40]);
    return true;
  });
});

test("a stream gives up on a server that stays away or is silent", async (t) => {
  const { kb } = await behind(t, ["before", "before", "before"]);
  await assert.rejects(until(kb.stream({ retries: 1 }), () => false), { name: "Unreachable" });
  let opened = 0;
  const quiet = { fetch: async (_, { signal }) => {
    opened += 1;
    return new Response(new ReadableStream({ start: (ends) => signal.addEventListener("abort", () => ends.error(signal.reason)) }));
  } };
  await assert.rejects(until(client(quiet).stream({ timeoutMs: 20, retries: 1 }), () => false), { name: "Unreachable" });
  assert.equal(opened, 2);
});
