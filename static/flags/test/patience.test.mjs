import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient } from "@kbwork/flags";
import { createClient as createPage } from "@kbwork/flags/browser";
import { KbworkProvider } from "@kbwork/flags/openfeature/server";
import { KbworkWebProvider } from "@kbwork/flags/openfeature/web";
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { OpenFeature as OpenPage } from "@openfeature/web-sdk";
import { CLIENT_ID, far, flag, hastened, logger, MIRA, pause, SDK_KEY, until } from "./far.mjs";

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
    await until(() => service.asked.filter((one) => one.name === "snapshot").at(-1).headers["if-none-match"] === '"2-1"');
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

  test("OpenFeature is told of changes, of a service that is out of reach and of a refused key", async (t) => {
    const service = await far(t);
    await OpenFeature.setProviderAndWait("patience", new KbworkProvider(made(t, service)));
    const client = OpenFeature.getClient("patience");
    const told = [];
    for (const name of ["Ready", "Stale", "Error", "ConfigurationChanged"]) {
      client.addHandler(ProviderEvents[name], () => told.push(`${name} ${client.providerStatus}`));
    }
    await until(() => service.streams.length);
    service.change({ on: flag(false) });
    await until(() => told.length === 2);
    assert.equal(await client.getBooleanValue("on", true, { targetingKey: "mira" }), false);
    Object.assign(service.status, { snapshot: 503, stream: 503 });
    service.hangUp();
    await until(() => told.length === 3);
    assert.equal(await client.getBooleanValue("on", true, { targetingKey: "mira" }), false);
    Object.assign(service.status, { snapshot: 200, stream: 200 });
    await until(() => told.length >= 4 && service.streams.length);
    service.say("revoked", {});
    await until(() => told.length >= 5);
    assert.deepEqual(told, ["Ready READY", "ConfigurationChanged READY", "Stale STALE", "Ready READY", "Error FATAL"]);
  });

  test("OpenFeature in a page is told, too", async (t) => {
    const service = await far(t);
    const page = createPage({ clientId: CLIENT_ID, baseUrl: service.url, logger: logger() });
    t.after(() => page.close());
    await OpenPage.setProviderAndWait("patience", new KbworkWebProvider(page));
    const client = OpenPage.getClient("patience");
    await until(() => service.streams.length);
    Object.assign(service.status, { snapshot: 503, stream: 503 });
    service.hangUp();
    await until(() => client.providerStatus === "STALE");
    Object.assign(service.status, { snapshot: 200, stream: 200 });
    await until(() => client.providerStatus === "READY");
  });
});
