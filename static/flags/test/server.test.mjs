import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { Context, createClient } from "@kbwork/flags";
import { far, flag, logger, MIRA, pause, SDK_KEY, sealed, summed, until } from "./far.mjs";

/** Collects garbage; undefined where only the runtime itself does. */
const collect = process.versions.bun || process.versions.deno ? undefined : (v8.setFlagsFromString("--expose-gc"), runInNewContext("gc"));

function made(test, service, more = {}) {
  const client = createClient({ sdkKey: SDK_KEY, baseUrl: service.url, logger: logger(), ...more });
  test.after(() => client.close());
  return client;
}

async function started(test, more = {}) {
  const service = await far(test);
  const client = made(test, service, more);
  assert.equal(await client.ready(), true);
  await until(() => client.status.connected);
  return { service, client };
}

describe("the client of a server", { concurrency: 8 }, () => {
  test("flags are evaluated here", async (t) => {
    const { service, client } = await started(t);
    const off = flag(true, { on: false, offVariation: null });
    service.change({ text: flag("blue"), figure: flag(2.5), tree: flag({ a: [1] }), off });
    await until(() => client.version === 2);
    const asked = service.asked.length;
    assert.equal(client.boolean("on", false, MIRA), true);
    assert.equal(client.string("text", "red", new Context(MIRA)), "blue");
    assert.equal(client.number("figure", 1, MIRA), 2.5);
    client.json("tree", null, MIRA).a.push(2);
    assert.deepEqual(client.json("tree", null, MIRA), { a: [1] });
    assert.equal(client.boolean("off", true, MIRA), true);
    assert.deepEqual(client.booleanDetail("on", false, MIRA), { value: true, variation: 0, reason: "DEFAULT" });
    assert.throws(() => (client.booleanDetail("on", false, MIRA).value = 7), TypeError);
    assert.equal(client.stringDetail("on", "x", MIRA).errorKind, "WRONG_TYPE");
    assert.equal(client.numberDetail("none", 7, MIRA).errorKind, "FLAG_NOT_FOUND");
    assert.equal(client.jsonDetail("on", {}, null).errorKind, "INVALID_CONTEXT");
    assert.equal(service.asked.length, asked);
  });

  test("a snapshot is read as JSON has it, however it is written", async (t) => {
    const service = await far(t);
    const odd = JSON.stringify(flag('"}],{[\\\\"'), null, "\t");
    const spelt = odd.replace('"on"', '"\\u006fn"');
    const text = ` {"format" :1,"segments":{ },\n"environment":{"version":1},"flags":\t{"a" : ${odd} , "__proto__":${odd},"\\u0062":${spelt},"toString":${odd},"b\\"}":[],"none":null,"half":{"on":tru},"\\ud800":${odd}} } `;
    service.makes = (_, version) => sealed(text, version);
    const client = made(t, service);
    assert.equal(await client.ready(), true);
    for (const key of ["a", "__proto__", "b", "toString", "\ufffd"]) assert.equal(client.string(key, "", MIRA), '"}],{[\\\\"', key);
    assert.equal(client.stringDetail('b"}', "", MIRA).errorKind, "MALFORMED_FLAG");
    assert.equal(client.stringDetail("none", "", MIRA).errorKind, "FLAG_NOT_FOUND");
    assert.equal(client.stringDetail("valueOf", "", MIRA).errorKind, "FLAG_NOT_FOUND");
    assert.equal(client.stringDetail("half", "x", MIRA).errorKind, "MALFORMED_FLAG");
  });

  test("what came is let go with the last flag that was read of it", { skip: collect === undefined && "nobody can be asked to collect" }, async (t) => {
    const service = await far(t);
    const large = 2 ** 23;
    service.makes = (_, version) => sealed(JSON.stringify({ format: 1, environment: { version: 1 }, flags: { a: flag("x".repeat(large)), b: flag("b") }, segments: {} }), version);
    const client = made(t, service);
    assert.equal(await client.ready(), true);
    assert.equal(client.string("a", "", MIRA).length, large);
    collect();
    assert.ok(process.memoryUsage().arrayBuffers >= large);
    assert.equal(client.string("b", "", MIRA), "b");
    await until(() => {
      collect();
      return process.memoryUsage().arrayBuffers < large;
    });
  });

  test("what is no JSON is not served", async (t) => {
    const { service, client } = await started(t);
    const whole = service.content().replace('"version":1', '"version":2');
    const flags = ['"a":1,', '"a":1:2', '"a","b":1', '"a"', '[1]:2', '"a":1]', '"a":1}x', " x ", "}{", ',"a":1', "7:1"];
    for (const text of [...flags.map((members) => `{"flags":{${members}}}`), whole.slice(0, -1), `${whole}}`, `[${whole}]`, whole.replace(":1", "=1"), whole.replace(",", ""), whole.replace("{", '{,'), whole.replace("{", '{"x":tru,'), whole.replace("{", "{x:1,"), whole.replace("{", "{\u0000"), '{"flags":{x}},', '{"', "{", "", "7"]) {
      service.makes = () => sealed(text, 2);
      const asked = service.count("snapshot");
      service.version++;
      service.say("change", { version: service.version });
      await until(() => service.count("snapshot") > asked && client.status.lastError !== null, text);
      assert.equal(client.version, 1, text);
    }
    assert.equal(client.boolean("on", false, MIRA), true);
  });

  test("nothing that is asked throws", async (t) => {
    const { client } = await started(t);
    const loop = { key: "x" };
    loop.deep = loop;
    const trap = new Proxy({}, { getOwnPropertyDescriptor: () => assert.fail("a trap") });
    for (const context of [undefined, null, 7, [], { key: Symbol("x") }, { key: "\ud800", a: 1n }, loop, trap, () => {}]) {
      for (const key of ["on", undefined, 7, ["on"], "\ud800", Symbol("on"), "__proto__", "toString"]) {
        assert.equal(typeof client.boolean(key, false, context), "boolean");
      }
      client.track("bought", context, loop);
      client.identify(context);
    }
    assert.equal(client.booleanDetail("on", false, trap).errorKind, "EXCEPTION");
  });

  test("before the first snapshot defaults are served", async (t) => {
    const service = await far(t);
    service.status.snapshot = 503;
    const client = made(t, service, { initTimeoutMs: 100 });
    assert.equal(await client.ready(), false);
    const { errorKind, ...detail } = client.booleanDetail("on", true, MIRA);
    assert.deepEqual([errorKind, detail], ["CLIENT_NOT_READY", { value: true, variation: null, reason: "ERROR" }]);
    service.status.snapshot = 200;
    assert.equal(await client.ready(10_000), true);
    assert.equal(client.boolean("on", false, MIRA), true);
  });

  test("a change is heard, also behind a subscriber that fails", async (t) => {
    const { service, client } = await started(t);
    let heard = 0;
    client.subscribe(() => assert.fail("of the program's own"));
    const end = client.subscribe(() => heard++);
    service.change({ on: flag(true, { on: false }) });
    await until(() => heard === 1);
    assert.equal(client.boolean("on", true, MIRA), false);
    end();
    service.change({ on: flag() });
    await until(() => client.boolean("on", false, MIRA));
    assert.equal(heard, 1);
  });

  test("a stream that ends, or breaks off in half a message, is opened again", async (t) => {
    const { service, client } = await started(t);
    service.streams[0].write('event: change\ndata: {"vers');
    service.hangUp();
    service.change({ on: flag(true, { on: false }) });
    await until(() => service.streams.length === 1 && client.version === 2);
    assert.equal(client.boolean("on", true, MIRA), false);
  });

  test("the last good snapshot is served when what comes is none", async (t) => {
    const { service, client } = await started(t);
    const broken = {
      "no snapshot": () => Buffer.from("<html>a proxy says hello to whoever passes by, at some length, as they do</html>"),
      "another SDK key": (content, version) => sealed(content, version, "srv_other"),
      "changed on its way": (content, version) => sealed(content, version).fill(0, 60, 64),
      "know: 2": (content, version) => sealed(content, version).fill(2, 4, 5),
      "does not know": () => sealed('{"format":2}', 9),
      JSON: () => sealed("{", 9),
    };
    for (const [says, makes] of Object.entries(broken)) {
      service.makes = makes;
      service.change({ on: flag(true, { on: false }) });
      await until(() => client.status.lastError?.includes("cannot be used") && client.status.lastError.includes(says), says);
      assert.deepEqual([client.version, client.boolean("on", false, MIRA)], [1, true]);
    }
    service.makes = undefined;
    service.change();
    await until(() => client.version === service.version);
    assert.equal(client.status.lastError, null);
  });

  test("an older snapshot is not gone back to", async (t) => {
    const { service, client } = await started(t);
    service.version = 2;
    service.change();
    await until(() => client.version === 3);
    service.version = 1;
    service.change({ on: flag(true, { on: false }) });
    await until(() => client.status.lastError?.includes("it is version 2, and 3 is served"));
    assert.deepEqual([client.version, client.boolean("on", false, MIRA)], [3, true]);
  });

  for (const how of ["snapshot", "revoked"]) {
    test(`a key that is refused stops updates and keeps what is served: ${how}`, async (t) => {
      const log = logger();
      const { service, client } = await started(t, { logger: log });
      client.boolean("on", false, MIRA);
      service.status.snapshot = 401;
      if (how === "snapshot") service.change({ on: flag(true, { on: false }) });
      else service.say("revoked", {});
      await until(() => log.told.some((text) => text.includes("the key is refused")));
      assert.equal(client.boolean("on", false, MIRA), true);
      const asked = service.asked.length;
      await client.close();
      assert.equal(service.asked.length, asked, "what was counted is sent to nobody");
    });
  }

  test("a key that is refused at once does not wait, and is in no log", async (t) => {
    const service = await far(t);
    service.status.snapshot = service.status.stream = 401;
    const log = logger();
    assert.equal(await made(t, service, { initTimeoutMs: 30_000, logger: log }).ready(), false);
    assert.ok(log.told.length === 1 && !log.told[0].includes(SDK_KEY));
  });

  test("a pause that is asked for is kept by all requests, and one goes first", async (t) => {
    const service = await far(t);
    service.statuses = { snapshot: [429, 429], stream: [429, 429], events: [] };
    const client = made(t, service);
    assert.equal(await client.ready(10_000), true);
    const [, ...later] = service.asked;
    const kept = later.map(({ at }, place) => [later[place - 1], at]).filter(([before]) => before?.status === 429);
    const gaps = kept.map(([before, at]) => at - before.at);
    assert.ok(later.length >= 3 && gaps.every((gap) => gap >= 990), gaps.join());
  });

  test("a service that says nothing holds nobody up", async (t) => {
    const service = await far(t);
    service.isSilent = true;
    const client = made(t, service, { initTimeoutMs: 150 });
    const began = performance.now();
    assert.equal(await client.ready(), false);
    client.boolean("on", true, MIRA);
    assert.ok(performance.now() - began < 1000);
  });

  test("evaluations are counted and sent at the end", async (t) => {
    const { service, client } = await started(t);
    service.change({ other: flag(true, { on: false, version: 9 }) });
    await until(() => client.version === 2);
    for (let times = 0; times < 8000; times++) client.boolean("on", false, MIRA);
    client.boolean("other", true, MIRA);
    client.boolean("none", true, MIRA);
    client.string("on", "x", MIRA);
    service.change();
    await until(() => client.version === 3);
    client.boolean("on", true, MIRA);
    await client.close();
    const counted = { "on 4 0 DEFAULT": 8001, "other 9 1 DISABLED": 1, "none   ERROR": 1, "on 4  ERROR": 1 };
    assert.deepEqual(summed(service), counted);
    assert.equal(service.batches.length, 1);
    const [{ events, sentAt, sdk }] = service.batches;
    assert.ok(events[0].from <= events[0].to && events[0].to <= sentAt && sdk === "js/1");
    assert.ok(!service.sent.includes(MIRA.email));
    assert.equal(client.boolean("on", false, MIRA), true);
    assert.equal(await client.flush(), false);
  });

  test("flags that ask for it tell each evaluation without what is private", async (t) => {
    const service = await far(t);
    const rules = [{ id: "r", clauses: [], variation: 1, trackEvents: true }];
    service.flags = { ...service.flags, all: flag(true, { trackEvents: true }), one: flag(true, { rules }) };
    const client = made(t, service, { privateAttributes: ["email", "/home/street", "key", "/broken//path"] });
    await client.ready();
    const _meta = { privateAttributes: ["plan"] };
    const context = { ...MIRA, _meta, plan: "gold-canary", age: 3, home: { street: "canary lane", city: "Ulm" } };
    for (const key of ["on", "all", "one"]) client.boolean(key, false, new Context(context));
    client.boolean("all", false, { kind: "multi", user: context, device: { key: "d", email: "mira@acme.example" } });
    client.track("bought", context, { price: 3 });
    client.identify(context);
    assert.equal(await client.flush(), true);
    const events = service.batches.flatMap((batch) => batch.events);
    const told = events.filter((event) => event.kind === "evaluation");
    assert.deepEqual(told.map((event) => [event.flag, event.variation]), [["all", 0], ["one", 1], ["all", 0]]);
    const redacted = ["/home/street", "email", "plan"];
    assert.deepEqual(told[0].context, { key: "mira", age: 3, home: { city: "Ulm" }, _meta: { redacted } });
    assert.deepEqual(told[0].contextKinds, ["user"]);
    assert.deepEqual(told[2].contextKinds, ["user", "device"]);
    assert.deepEqual(told[2].context.device, { key: "d", _meta: { redacted: ["email"] } });
    assert.deepEqual(new Set(events.map((event) => event.kind)), new Set(["summary", "evaluation", "track", "identify"]));
    for (const canary of ["mira@acme", "gold-canary", "canary lane"]) assert.ok(!service.sent.includes(canary), canary);
    assert.equal(context.email, MIRA.email);
  });

  test("batches are of five hundred and go twice under one id", async (t) => {
    const { service, client } = await started(t);
    service.statuses.events = [500, 202];
    for (let number = 0; number < 700; number++) client.boolean(`none${number}`, false, MIRA);
    await client.close();
    const sizes = service.batches.map((batch) => batch.events.length);
    assert.deepEqual(sizes.slice(0, 2), [500, 500]);
    assert.equal(sizes.slice(1).reduce((all, size) => all + size), 700);
    const ids = service.batches.map((batch) => batch.batchId);
    for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.ok(ids[0] === ids[1] && ids[1] !== ids[2]);
  });

  test("batches are cut where contexts are large, and one that is larger than all goes by itself", async (t) => {
    const log = logger();
    const { service, client } = await started(t, { logger: log });
    service.statuses.events = [202, 202, 202, 413];
    const note = "é".repeat(100_000);
    for (let number = 0; number < 7; number++) client.track("bought", { ...MIRA, note }, { number });
    client.track("bought", { ...MIRA, note: note.repeat(6) });
    client.boolean("on", false, MIRA);
    await client.close();
    const kinds = service.batches.map(({ events }) => events.map((event) => event.kind[0]).join(""));
    assert.deepEqual(kinds, ["sttt", "ttt", "t", "t"]);
    for (const { answered, ...batch } of service.batches) {
      assert.equal(Buffer.byteLength(JSON.stringify(batch)) < 1024 * 1024, answered === 202);
    }
    assert.deepEqual(summed(service), { "on 4 0 DEFAULT": 1 });
    assert.deepEqual(log.told, ["kbwork flags: 1 events are lost: 413 {}"]);
  });

  test("of a context that is not valid nothing is told", async (t) => {
    const { service, client } = await started(t, { privateAttributes: ["email"] });
    const email = "mira@acme.example";
    const wrong = [
      { kind: "multi", user: { key: "a" }, email },
      { kind: "multi", user: { key: "a" }, "no kind": { key: "b", email } },
      { kind: "multi", user: { key: "a" }, org: [{ key: "b", email }] },
      { kind: "multi", user: { email } },
      { kind: "no kind", key: "a", email },
      { email },
    ];
    for (const context of wrong) client.track("bought", context);
    client.track("bought", { kind: "multi", user: { key: "a", email }, org: null });
    assert.equal(await client.flush(), true);
    const told = service.batches.flatMap(({ events }) => events).map(({ contextKinds, context }) => [contextKinds, context]);
    assert.deepEqual(told.splice(0, wrong.length), wrong.map(() => [[], null]));
    const user = { key: "a", _meta: { redacted: ["email"] } };
    assert.deepEqual(told, [[["user"], { kind: "multi", user, org: null }]]);
    assert.ok(!service.sent.includes(email));
  });

  test("a batch that fails twice is given up, and one whose key is refused at once", async (t) => {
    const log = logger();
    const { service, client } = await started(t, { logger: log });
    service.statuses.events = [429, 500, 400, 202, 401];
    client.boolean("on", false, MIRA);
    const began = performance.now();
    assert.equal(await client.flush(), true);
    assert.ok(performance.now() - began >= 990);
    assert.deepEqual(log.told, ["kbwork flags: 1 events are lost: 500 {}"]);
    for (let times = 0; times < 3; times++) {
      client.boolean("on", false, MIRA);
      await client.flush();
    }
    client.boolean("on", false, MIRA);
    await client.close();
    assert.deepEqual(service.batches.map((batch) => batch.answered), [429, 500, 400, 202, 401]);
  });

  test("only so much waits", async (t) => {
    const log = logger();
    const { service, client } = await started(t, { logger: log });
    service.status.events = 503;
    for (let number = 0; number < 10_200; number++) client.track("moved", MIRA);
    for (let times = 0; times < 2; times++) client.boolean("on", false, MIRA);
    assert.equal(log.told.filter((text) => text.includes("events wait already")).length, 1);
  });

  test("more answers than may wait are counted", async (t) => {
    const service = await far(t);
    const keys = Array.from({ length: 12_000 }, (_, number) => `flag${number}`);
    service.flags = Object.fromEntries(keys.map((key) => [key, flag()]));
    const client = made(t, service);
    assert.equal(await client.ready(), true);
    for (const [place, key] of keys.entries()) {
      client.boolean(key, false, MIRA);
      // They are sent meanwhile, before no more may wait.
      if (place % 1000 === 0) await until(() => Object.keys(summed(service)).length >= place - 6_000);
    }
    await client.close();
    assert.equal(Object.keys(summed(service)).length, keys.length);
  });

  test("nothing is counted where events are off", async (t) => {
    const { service, client } = await started(t, { sendEvents: false });
    assert.equal(client.boolean("on", false, MIRA), true);
    client.track("bought", MIRA);
    assert.equal(await client.flush(), true);
    await client.close();
    assert.equal(service.batches.length, 0);
  });

  test("the last snapshot stays on disk and serves a start without the service", async (t) => {
    const cachePath = join(await mkdtemp(join(tmpdir(), "flags-")), "flags.bin");
    const { service, client } = await started(t, { cachePath });
    await client.close();
    const kept = await readFile(cachePath);
    assert.ok(kept.subarray(0, 4).toString() === "KBF1" && !kept.includes('"flags"'));
    assert.equal((await stat(cachePath)).mode & 0o077, 0);
    service.status.snapshot = service.status.stream = 503;
    const again = made(t, service, { cachePath });
    assert.equal(await again.ready(), true);
    assert.equal(again.boolean("on", false, MIRA), true);
    assert.equal(again.status.ageMs, null);
    service.status.snapshot = service.status.stream = 200;
    service.version = 0;
    service.flags.on = flag(true, { on: false });
    await until(() => !again.boolean("on", true, MIRA));
    service.status.snapshot = service.status.stream = 503;
    const rotated = { cachePath, sdkKey: "srv_new", initTimeoutMs: 500 };
    assert.equal(await made(t, service, rotated).ready(), false);
    assert.equal(await made(t, service, { ...rotated, previousSdkKey: SDK_KEY }).ready(), true);
    service.status.snapshot = service.status.stream = 200;
    for (const content of ["", `KBF1${"\0".repeat(200)}`, "{}"]) {
      await writeFile(cachePath, content);
      const third = made(t, service, { cachePath });
      assert.equal(await third.ready(), true);
    }
    assert.equal(await made(t, service, { cachePath: "/dev/null/none/flags.bin" }).ready(), true);
  });

  test("a log that fails ends nothing, and after its end a client asks nobody", async (t) => {
    const service = await far(t);
    service.status.snapshot = 503;
    const [fails, asked] = [() => assert.fail("the log is full"), []];
    const fetching = (url, init) => fetch(url, { ...init, signal: undefined }).finally(() => asked.push(url));
    const client = made(t, service, { initTimeoutMs: 300, logger: { warn: fails, error: fails }, fetch: fetching });
    assert.equal(await client.ready(), false);
    service.status.snapshot = 200;
    assert.equal(await client.ready(10_000), true);
    client.subscribe(fails);
    await until(() => client.status.connected);
    service.change();
    await until(() => client.version === 2);
    assert.ok(asked.every((url) => url.startsWith(`${service.url}/sdk/v1/`)));
    await client.close();
    const before = asked.length;
    service.change();
    await pause(600);
    assert.deepEqual([asked.length, client.version], [before, 2]);
  });

  test("a client that cannot be made is told at once", () => {
    const faults = [
      [undefined, "name a sdkKey"],
      [{}, "name a sdkKey"],
      [{ sdkKey: "" }, "name a sdkKey"],
      [{ sdkKey: "srv_\n" }, "holds characters"],
      [{ sdkKey: "a", baseUrl: "work.example" }, "baseUrl should be an address"],
      [{ sdkKey: "a", privateAttributes: "email" }, "privateAttributes should be a list"],
      [{ sdkKey: "a", privateAttributes: 7 }, "privateAttributes should be a list"],
      [{ sdkKey: "a", flushIntervalMs: 0 }, "flushIntervalMs should be at least 1"],
    ];
    for (const [options, says] of faults) {
      assert.throws(() => createClient(options), { name: "TypeError", message: new RegExp(says) });
    }
  });
});
