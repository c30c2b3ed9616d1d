import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, Unreachable } from "@kbwork/client";
import { behind, client } from "./world.mjs";

const busy = (status, headers = {}) => ({ status, headers, body: "" });
const problem = (status, slug, headers = {}) => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify({ type: `/problems/${slug}`, title: slug, status, detail: "Not now." }),
});

test("a call is tried again while the server is busy or away", async (t) => {
  for (const fault of [problem(429, "rate-limited", { "retry-after": "0" }), busy(503), busy(502), "before"]) {
    const { kb, seen } = await behind(t, [fault]);
    assert.equal((await kb.auth.me()).member.handle, "ana");
    assert.equal(seen.length, 2);
    assert.ok(seen.every(({ headers }) => headers["idempotency-key"] === undefined), "it is a read");
  }
});

test("a write whose answer was lost is done once", async (t) => {
  const since = (await client().ask("auth.me", {})).seq;
  const { kb, seen: tries } = await behind(t, ["after", { answer: 40 }]);
  const made = await kb.issues.create({ project: "WEB", title: "Written once" });
  const { events } = await client().api.changes({ since });
  assert.deepEqual(events.filter(({ payload }) => payload.title === "Written once").map(({ subject }) => subject), [`issue:${made.id}`]);
  assert.equal(tries.length, 3);
  assert.equal(new Set(tries.map(({ headers }) => headers["idempotency-key"])).size, 1);
  assert.match(tries[0].headers["idempotency-key"], /^[0-9a-f]{32}$/);
});

test("a refusal that stays is told, as often as it may be tried", async (t) => {
  const { kb, seen } = await behind(t, [busy(503), busy(503), busy(503)]);
  await assert.rejects(kb.call("auth.me", {}, { retries: 1 }), (refused) => {
    assert.ok(refused instanceof Problem);
    assert.deepEqual([refused.slug, refused.detail.slice(0, 28)], ["http-503", "This is no answer of kbwork;"]);
    return true;
  });
  assert.equal(seen.length, 2);
});

test("a server that asks for an hour is not waited for", async (t) => {
  const { kb, seen } = await behind(t, [problem(429, "rate-limited", { "retry-after": "3600" })]);
  await assert.rejects(kb.auth.me(), { slug: "rate-limited", retryAfter: 3600 });
  assert.equal(seen.length, 1);
});

test("what no second try mends is tried once", async (t) => {
  for (const fault of [problem(429, "allowance-used"), problem(502, "outside-failed"), busy(500), busy(301, { location: "/" })]) {
    const { kb, seen } = await behind(t, [fault]);
    await assert.rejects(kb.auth.me(), { status: fault.status });
    assert.equal(seen.length, 1, fault.status);
  }
});

test("an answer that is not of kbwork is said to be none", async (t) => {
  const { kb } = await behind(t, [{ status: 200, headers: { "content-type": "text/html" }, body: "<h1>Portal</h1>" }]);
  await assert.rejects(kb.auth.me(), { name: "Problem", slug: "http-200" });
});

test("a call ends by its signal, while it waits for another try as well", async (t) => {
  const { kb, seen } = await behind(t, [busy(503, { "retry-after": "20" })]);
  const ends = new AbortController();
  const call = kb.call("auth.me", {}, { signal: ends.signal });
  while (!seen.length) await new Promise((go) => setTimeout(go, 5));
  ends.abort(new Error("the page was left"));
  await assert.rejects(call, { message: "the page was left" });
  assert.equal(seen.length, 1);
  await assert.rejects(kb.call("auth.me", {}, { signal: ends.signal }), { message: "the page was left" });
  assert.equal(seen.length, 1);
});

test("a server that is not there or says nothing is unreachable", async (t) => {
  const { kb, seen } = await behind(t, ["before", "before"]);
  await assert.rejects(kb.call("auth.me", {}, { retries: 1 }), (error) => {
    assert.ok(error instanceof Unreachable && error.cause instanceof Error);
    return true;
  });
  assert.equal(seen.length, 2);
  const silent = await behind(t, [], { fetch: (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason))) });
  await assert.rejects(silent.kb.call("auth.me", {}, { timeoutMs: 30 }), /no answer in time/);
});

test("a code that is denied, or that nobody approves, lets nobody in", async (t) => {
  const json = (document) => ({ status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(document) });
  const started = json({ device_code: "d", user_code: "ABC", verification_path: "/device", interval: 0.01, expires_in: 5 });
  const polled = (state) => json({ state, token: null });
  for (const [faults, status] of [
    [[started, polled("pending"), busy(500), polled("denied")], 403],
    [[started, polled("pending"), polled("expired")], 408],
  ]) {
    const asked = faults.length;
    const { kb, seen } = await behind(t, faults, { key: undefined });
    await assert.rejects(kb.device({ name: "x", show: () => {} }), { name: "Problem", status });
    assert.equal(seen.length, asked);
    assert.equal(kb.key, undefined);
  }
});
