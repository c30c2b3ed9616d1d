import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as server from "@kbwork/flags";
import * as page from "@kbwork/flags/browser";
import { CLIENT_ID, far, flag, logger, SDK_KEY, sealed, until } from "./far.mjs";

const ANA = { key: "ana" };
const off = flag(true, { on: false });

function made(test, service, kind, more = {}) {
  const keys = kind === "page" ? { clientId: CLIENT_ID, context: ANA } : { sdkKey: SDK_KEY };
  const client = (kind === "page" ? page : server).createClient({ ...keys, baseUrl: service.url, logger: logger(), ...more });
  test.after(() => client.close());
  return client;
}

async function started(test, kind, more = {}) {
  const service = await far(test);
  service.flags = { on: flag(), other: flag(), resting: flag(true, { prerequisites: [{ key: "on", variation: 0 }] }) };
  const client = made(test, service, kind, more);
  assert.equal(await client.ready(), true);
  await until(() => client.status.connected);
  return { service, client, at: (version) => until(() => client.version === version, `version ${version}`) };
}

for (const kind of ["server", "page"]) {
  describe(`deltas for the client of a ${kind}`, { concurrency: 8 }, () => {
    test("a change comes as what changed", async (t) => {
      const { service, client, at } = await started(t, kind);
      assert.equal(client.boolean("resting", false, ANA), true);
      service.change({ on: off });
      await at(2);
      assert.deepEqual([client.boolean("on", true, ANA), client.boolean("other", false, ANA)], [false, true]);
      assert.equal(client.booleanDetail("resting", true, ANA).reason, "PREREQUISITE_FAILED");
      delete service.flags.other;
      service.change();
      await at(3);
      assert.equal(client.booleanDetail("other", true, ANA).errorKind, "FLAG_NOT_FOUND");
      assert.deepEqual(service.since, [null, "1", "2"]);
    });

    test("a version that the stream names is asked for until it is there", async (t) => {
      const { service, client, at } = await started(t, kind);
      const old = service.content();
      const kept = kind === "page" ? old : sealed(old, 1);
      service.rigged.push(kept, kept); // by a cache on the way
      service.change({ on: off });
      await at(2);
      assert.equal(client.boolean("on", true, ANA), false);
      assert.deepEqual(service.rigged, []);
      const asked = service.asked.filter(({ name }) => name === "snapshot").map(({ search }) => search);
      assert.deepEqual(asked.slice(0, 4), ["", ...Array(3).fill("?since=1&version=2")]);
      assert.deepEqual(asked.slice(4).filter((search) => search !== "?since=2"), []); // whether there is more
      await until(() => client.status.lastError === null);
    });

    test("changes while a delta is on its way come with the next", async (t) => {
      const { service, client, at } = await started(t, kind);
      for (let turn = 0; turn < 20; turn++) service.change({ on: flag(turn % 2 === 0) });
      await at(21);
      assert.equal(client.boolean("on", true, ANA), false);
      assert.deepEqual(service.since.indexOf(null, 1), -1);
    });

    test("a version that is not known any more gets the whole", async (t) => {
      const { service, client, at } = await started(t, kind);
      service.past.clear();
      service.change({ on: off });
      await at(2);
      assert.equal(client.boolean("on", true, ANA), false);
    });

    test("after a delta that does not fit the whole is asked for, once", async (t) => {
      const { service, client, at } = await started(t, kind);
      const delta = (changed) => JSON.stringify({ ...service.data(), edition: "x", ...changed });
      const fits = { base: { version: 1, edition: "e1" }, removed: { flags: [], segments: [] }, environment: { version: 9 } };
      const wraps = (content, base = 1) => (kind === "page" ? content : sealed(content, 9, SDK_KEY, base));
      const good = wraps(delta(fits));
      const rigged = [
        wraps(delta({ ...fits, base: { version: 1, edition: "another" } })),
        wraps(delta({ ...fits, base: { version: 0, edition: "e1" } })),
        wraps(delta({ ...fits, removed: undefined })),
        wraps(delta({ ...fits, flags: 7 })),
        wraps("{"),
        "",
        "<html>a proxy says hello to whoever passes by, at some length, as they do</html>",
      ];
      if (kind === "server") {
        const [as, wrong, cut] = [Buffer.from(good), Buffer.from(good), Buffer.from(good).subarray(0, 60)];
        as[57] = 2;
        wrong[wrong.length - 1] ^= 1;
        const whole = Buffer.from(sealed(service.content(), 9));
        whole[5] = 3;
        rigged.push(as, wrong, cut, whole);
      }
      for (const [place, body] of rigged.entries()) {
        service.rigged = [body];
        service.since.length = 0;
        service.change({ on: flag(`v${place}`) });
        await at(place + 2);
        assert.equal(client.string("on", "", ANA), `v${place}`);
        assert.deepEqual(service.since, [String(place + 1), null], `answer ${place}`);
      }
      service.rigged = [good]; // of a version that went by
      service.change({ on: off });
      await at(rigged.length + 2);
      assert.equal(client.boolean("on", true, ANA), false);
    });

    test("a server that was set back is not gone back to, and another of the same number is noticed", async (t) => {
      const { service, client, at } = await started(t, kind);
      service.version = 8;
      service.change({ on: off });
      await at(9);
      service.past.clear();
      Object.assign(service, { edition: "f", version: 4, flags: { on: flag("back") } });
      service.change();
      await until(() => client.status.lastError?.includes("9 is served"));
      assert.deepEqual(service.since, [null, "1", "9"], "it is asked once");
      service.version = 9;
      service.past.set(9, service.data());
      service.change({ on: flag("forward") });
      await at(10);
      assert.equal(client.string("on", "", ANA), "forward");
      assert.equal(client.booleanDetail("other", true, ANA).errorKind, "FLAG_NOT_FOUND");
      assert.deepEqual(service.since.slice(-2), ["9", null]);
    });

    test("a key that is revoked gets no delta", async (t) => {
      const { service, client } = await started(t, kind);
      service.status.snapshot = 401;
      service.change({ on: off });
      await until(() => !client.status.connected);
      assert.deepEqual([client.version, client.boolean("on", false, ANA)], [1, true]);
    });
  });
}

test("deltas are kept behind the snapshot on disk, and what is cut off is left", async (t) => {
  const path = join(await mkdtemp(join(tmpdir(), "flags-")), "kept");
  const { service, client, at } = await started(t, "server", { cachePath: path });
  for (const version of [2, 3, 4]) {
    service.change({ on: flag(`v${version}`) });
    await at(version);
  }
  await client.close();
  const beside = `${path}.changes`;
  assert.equal((await stat(beside)).mode & 0o777, 0o600);
  const kept = await readFile(beside);
  assert.ok(!kept.includes("version") && !(await readFile(path)).includes("version"));
  service.hangUp();
  service.status = { snapshot: 503, stream: 503, events: 503 };
  const alone = async (version) => {
    const again = made(t, service, "server", { cachePath: path });
    assert.equal(await again.ready(), true);
    assert.deepEqual([again.version, again.string("on", "", ANA)], [version, `v${version}`]);
    await again.close();
  };
  await alone(4);
  await writeFile(beside, Buffer.concat([kept, kept]));
  await alone(4);
  await writeFile(beside, kept.subarray(0, -9));
  await alone(3);
  assert.ok((await stat(beside)).size < kept.length - 9);
});

test("deltas are kept behind the snapshot in the storage of a page", async (t) => {
  const stored = new Map();
  const localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true }); // Bun has one to be read
  const { service, client, at } = await started(t, "page", { cachePath: "flags" });
  service.change({ on: flag("v2") });
  await at(2);
  await client.close();
  service.hangUp();
  service.status = { snapshot: 503, stream: 503, events: 503 };
  const again = made(t, service, "page", { cachePath: "flags" });
  assert.equal(await again.ready(), true);
  assert.deepEqual([again.version, again.string("on", "")], [2, "v2"]);
});

test("what did not change keeps its compiled form", async () => {
  const { Snapshot } = await import("@kbwork/flags/engine");
  const values = Array.from({ length: 1_000 }, (_, n) => `u${n}`);
  let gone = 0;
  values[Symbol.iterator] = () => (gone++, Array.prototype.values.call(values));
  const segments = { many: { included: values } };
  const asking = flag(true, { rules: [{ clauses: [{ op: "segmentMatch", values: ["many"] }], variation: 1 }] });
  const flags = { on: flag(), asking, same: flag() };
  const before = new Snapshot({ flags, segments });
  const ask = (snapshot, key) => snapshot.evaluate(key, ANA);
  const answered = Object.fromEntries(Object.keys(flags).map((key) => [key, ask(before, key)]));
  const after = new Snapshot({ flags: { ...flags, on: off }, segments });
  assert.equal(ask(after, "same"), answered.same, "the very object");
  assert.notEqual(ask(after, "on"), answered.on);
  assert.deepEqual(ask(after, "asking"), answered.asking);
  assert.equal(gone, 1, "the list of keys is gone through once");
  const twice = new Snapshot({ flags: { a: flags.same, b: flags.same }, segments });
  assert.deepEqual([ask(twice, "a"), ask(twice, "b")], [answered.same, answered.same]);
});
