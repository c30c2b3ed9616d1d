import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient } from "@kbwork/flags";
import { far, flag, hastened, logger, MIRA, pause, SDK_KEY, until } from "./far.mjs";

hastened();

function made(test, service, more = {}) {
  const client = createClient({ sdkKey: SDK_KEY, baseUrl: service.url, logger: logger(), ...more });
  test.after(() => client.close());
  return client;
}

describe("what takes half a minute", { concurrency: 4 }, () => {
  test("while the stream is down it asks, and no more when it is up again", async (t) => {
    const service = await far(t);
    service.status.stream = 503;
    const client = made(t, service);
    assert.equal(await client.ready(), true);
    assert.equal(client.status.connected, false);
    service.change({ on: flag(true, { on: false }) });
    await until(() => client.version === 2 && service.count("snapshot") > 3);
    assert.equal(service.asked.filter((one) => one.name === "snapshot").at(-1).headers["if-none-match"], '"2-1"');
    service.status.stream = 200;
    await until(() => client.status.connected);
    const asked = service.count("snapshot");
    for (let times = 0; times < 10; times++) {
      await pause(100);
      for (const stream of service.streams) stream.write(":\n\n"); // what keeps it open
    }
    assert.ok(service.count("snapshot") <= asked + 1);
  });

  test("what cannot be served is asked for again, though the stream lives", async (t) => {
    const service = await far(t);
    const client = made(t, service);
    await until(() => client.status.connected);
    service.makes = () => Buffer.from("<html>a proxy says hello to whoever passes by, at some length, as they do</html>");
    service.change({ on: flag(true, { on: false }) });
    await until(() => client.status.lastError?.includes("cannot be used"));
    service.makes = undefined;
    await until(() => client.version === 2);
    assert.equal(client.status.lastError, null);
  });

  test("a stream on which nothing comes is dead", async (t) => {
    const service = await far(t);
    const client = made(t, service);
    await until(() => client.status.connected);
    await until(() => service.streams.length >= 2);
    assert.equal(client.boolean("on", false, MIRA), true);
  });

  test("a request that is never answered is given up, and made again", async (t) => {
    const service = await far(t);
    service.isSilent = true;
    const client = made(t, service);
    await until(() => service.count("snapshot") >= 2);
    assert.match(client.status.lastError, /nothing came for (10|60) seconds/);
    service.isSilent = false;
    assert.equal(await client.ready(900_000), true);
  });
});
