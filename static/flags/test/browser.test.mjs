import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient, Context } from "@kbwork/flags/browser";
import { CLIENT_ID, far, flag, logger, MIRA, summed, until } from "./far.mjs";

const page = new EventTarget();
const kept = new Map();
const globals = {
  document: page,
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) },
  navigator: { sendBeacon: (url, body) => page.leaves?.(url, body) ?? false },
};
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true });

function made(test, service, more = {}) {
  const client = createClient({ clientId: CLIENT_ID, baseUrl: service.url, logger: logger(), ...more });
  test.after(() => client.close());
  return client;
}

const targets = [{ contextKind: "user", values: ["mira"], variation: 1 }];

/** As a server hashes the list of a target. */
async function hashing(service, salt) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt}.user.mira`));
  const values = [Buffer.from(digest).toString("base64url").slice(0, 22)];
  service.keySalt = salt;
  service.flags = { ...service.flags, list: flag(true, { targets: [{ ...targets[0], values }] }) };
}

describe("the client of a page", { concurrency: 8 }, () => {
  test("what is told before there is anything to tell it is told as it was", async (t) => {
    const service = await far(t);
    const client = made(t, service, { context: MIRA });
    const data = { price: 7 };
    const before = Date.now();
    client.track("bought", data);
    data.price = 8;
    await client.close();
    const [event] = service.batches.flatMap(({ events }) => events);
    assert.deepEqual([event.kind, event.name, event.data], ["track", "bought", { price: 7 }]);
    assert.ok(event.at >= before && event.at <= Date.now());
  });

  test("flags are evaluated for the context that was told last", async (t) => {
    const service = await far(t);
    service.flags.list = flag(true, { targets });
    const client = made(t, service, { context: { key: "bo" } });
    assert.equal(client.booleanDetail("list", false).errorKind, "CLIENT_NOT_READY");
    assert.equal(await client.ready(), true);
    assert.equal(client.boolean("list", false), true);
    let heard = 0;
    client.subscribe(() => heard++);
    await client.identify(new Context(MIRA));
    assert.deepEqual([client.boolean("list", true), heard], [false, 1]);
    const mine = { key: "cy" };
    await Promise.all([client.identify(MIRA), client.identify(mine)]);
    mine.key = "mira";
    assert.equal(client.boolean("list", false), true);
    await client.identify(undefined);
    assert.equal(client.booleanDetail("list", false).errorKind, "INVALID_CONTEXT");
    assert.equal(client.string("on", "x"), "x");
    assert.equal(client.number("none", 3), 3);
    assert.equal(client.json("none", 3), 3);
  });

  test("keys are hashed as the snapshot has them, also where another salt comes", async (t) => {
    const service = await far(t);
    await hashing(service, "first");
    const client = made(t, service, { context: MIRA });
    await client.ready();
    assert.equal(client.boolean("list", true), false);
    await until(() => client.status.connected);
    await hashing(service, "second");
    const told = [];
    client.subscribe(() => told.push(client.boolean("list", true)));
    service.change();
    await until(() => client.version === 2);
    await client.identify({ key: "bo" });
    assert.deepEqual(told, [false, true]);
  });

  test("who watches a flag hears when it serves something else", async (t) => {
    const service = await far(t);
    service.flags.list = flag({ a: 1 }, { targets });
    const client = made(t, service, { context: { key: "bo" } });
    await client.ready();
    await until(() => client.status.connected);
    const heard = [];
    const end = client.watch("list", (detail) => heard.push(detail.value));
    service.change({ on: flag(true, { on: false }) });
    await until(() => client.version === 2);
    await client.identify(MIRA);
    await client.identify({ key: "mira" });
    end();
    await client.identify({ key: "bo" });
    assert.deepEqual(heard, [false]);
    await client.close();
    assert.deepEqual(summed(service), {}, "looking counts nothing");
  });

  test("a page that brings the snapshot is ready at once", async (t) => {
    const service = await far(t);
    const inPage = service.content();
    service.status.snapshot = service.status.stream = 503;
    for (const bootstrap of [inPage, JSON.parse(inPage)]) {
      const client = made(t, service, { bootstrap, context: MIRA });
      assert.equal(await client.ready(), true);
      assert.equal(client.boolean("on", false), true);
    }
    service.status.snapshot = service.status.stream = 200;
    const client = made(t, service, { bootstrap: { format: 9 }, context: MIRA });
    assert.equal(await client.ready(), true);
    const old = made(t, service, { bootstrap: inPage.replace('"version":1', '"version":12'), context: MIRA });
    await until(() => old.version === 1);
  });

  test("the storage of the page keeps the snapshot of this ID", async (t) => {
    const service = await far(t);
    await made(t, service, { cachePath: "flags" }).ready();
    await until(() => kept.has(`flags:${CLIENT_ID}`));
    service.status.snapshot = service.status.stream = 503;
    const client = made(t, service, { cachePath: "flags", context: MIRA });
    assert.equal(await client.ready(), true);
    assert.equal(client.boolean("on", false), true);
    assert.match(client.status.lastError, /status 503/);
  });
});

test("a page that is hidden leaves its counts to the browser first, without what is private", async (t) => {
  const service = await far(t);
  service.flags.told = flag(true, { trackEvents: true });
  const client = made(t, service, { context: MIRA, privateAttributes: ["email"] });
  await client.ready();
  for (let number = 0; number < 200; number++) client.boolean(`none${number}`, false);
  client.boolean("told", false);
  const beacons = [];
  // Not every runtime has ended the clients of the tests before by now.
  page.leaves = (url, body) => url.startsWith(service.url) && beacons.push({ url, body }) <= page.takes;
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  assert.equal(beacons.length, 0);
  [page.visibilityState, page.takes] = ["hidden", 1];
  page.dispatchEvent(new Event("visibilitychange"));
  assert.equal(beacons.length, 2, "the second was not taken");
  page.takes = 3;
  page.dispatchEvent(new Event("pagehide"));
  const bodies = [];
  for (const { url, body } of beacons) {
    assert.equal(url, `${service.url}/sdk/v1/events?clientId=${CLIENT_ID}`);
    assert.match(body.type, /^text\/plain/);
    bodies.push(await body.text());
  }
  const batches = bodies.map((body) => JSON.parse(body));
  assert.deepEqual(batches[1].events, batches[2].events);
  assert.equal(batches[0].events.length + batches[2].events.length, 202);
  assert.ok(bodies.every((body) => body.length < 21_000), "the browser takes 64 KiB of all that is on its way");
  assert.equal(batches[2].events.at(-1).kind, "evaluation");
  assert.ok(bodies.every((body) => !body.includes(MIRA.email)));
  await client.close();
  page.dispatchEvent(new Event("pagehide"));
  assert.deepEqual([beacons.length, service.batches.length], [3, 0]);
});
