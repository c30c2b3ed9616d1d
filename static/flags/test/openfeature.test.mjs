import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient } from "@kbwork/flags";
import { createClient as createPage } from "@kbwork/flags/browser";
import { KbworkProvider } from "@kbwork/flags/openfeature/server";
import { KbworkWebProvider } from "@kbwork/flags/openfeature/web";
import { testClient } from "@kbwork/flags/testing";
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { OpenFeature as OpenPage } from "@openfeature/web-sdk";
import { CLIENT_ID, far, flag, logger, SDK_KEY, summed, until } from "./far.mjs";

const by = (attribute, value, kind) => ({ contextKind: kind, attribute, op: "in", values: [value] });
const rules = (...clauses) => ({ rules: clauses.map((clause) => ({ clauses: [clause], variation: 1 })) });
const FLAGS = {
  on: flag(),
  text: flag("blue"),
  half: flag(2.5),
  tree: flag({ a: [1] }),
  off: flag(true, { on: false, offVariation: null }),
  broken: flag(true, { fallthrough: { variation: 9 } }),
  gold: flag(true, rules(by("plan", "gold"))),
  late: flag(true, rules({ attribute: "at", op: "after", values: ["2026-01-01T00:00:00Z"] })),
  both: flag(true, rules(by("key", "acme", "org"))),
};
const MIRA = { targetingKey: "mira", plan: "gold" };
let domains = 0;

/** The SDK with our provider, under a name of this test, and what it has told. It may have failed to begin. */
async function open(t, provider) {
  const domain = `test-${domains++}`;
  const told = [];
  const client = OpenFeature.getClient(domain);
  t.after(() => provider.onClose());
  await OpenFeature.setProviderAndWait(domain, provider).catch((error) => told.push(error.code));
  for (const name of ["Ready", "Stale", "Error", "ConfigurationChanged"]) client.addHandler(ProviderEvents[name], () => told.push(name));
  return { client, told };
}

async function opened(t, options) {
  const service = await far(t);
  service.flags = FLAGS;
  Object.assign(service.status, options.status);
  const made = createClient({ sdkKey: SDK_KEY, baseUrl: service.url, logger: logger(), ...options });
  return { service, made, ...(await open(t, new KbworkProvider(made))) };
}

describe("the provider for servers", { concurrency: 6 }, () => {
  test("flags are resolved with their reasons, and are counted", async (t) => {
    const { service, made, client } = await opened(t, {});
    assert.equal(await client.getBooleanValue("on", false, MIRA), true);
    assert.equal(await client.getStringValue("text", "red", MIRA), "blue");
    assert.equal(await client.getNumberValue("half", 1, MIRA), 2.5);
    assert.deepEqual(await client.getObjectValue("tree", {}, MIRA), { a: [1] });
    const gold = await client.getBooleanDetails("gold", true, MIRA);
    assert.deepEqual([gold.value, gold.variant, gold.reason], [false, "1", "TARGETING_MATCH"]);
    assert.deepEqual(gold.flagMetadata, { flagVersion: 4 });
    const off = await client.getBooleanDetails("off", true, MIRA);
    assert.deepEqual([off.value, off.variant, off.reason, off.errorCode], [true, undefined, "DISABLED", undefined]);
    assert.equal(await made.flush(9_000), true);
    assert.equal(summed(service)["on 4 0 DEFAULT"], 1);
  });

  test("contexts are told in our words", async (t) => {
    const { client } = await opened(t, {});
    assert.equal(await client.getBooleanValue("late", true, { targetingKey: "a", at: new Date("2026-03-01T12:00:00Z") }), false);
    assert.equal(await client.getBooleanValue("late", true, { targetingKey: "a", at: new Date(Number.NaN) }), true);
    const multi = { targetingKey: "x", kind: "multi", user: { targetingKey: "mira" }, org: { key: "acme" } };
    assert.equal(await client.getBooleanValue("both", true, multi), false);
    assert.equal(await client.getBooleanValue("both", true, { targetingKey: "acme", kind: "org" }), false);
  });

  test("what goes wrong has the codes of OpenFeature", async (t) => {
    const { client } = await opened(t, {});
    const codes = await Promise.all([
      client.getBooleanDetails("none", true, MIRA),
      client.getBooleanDetails("text", true, MIRA),
      client.getObjectDetails("text", {}, MIRA),
      client.getBooleanDetails("broken", true, MIRA),
      client.getBooleanDetails("on", false, {}),
      client.getBooleanDetails("on", false, { targetingKey: "a", kind: "a b" }),
    ]);
    const told = codes.map(({ errorCode, reason }) => [errorCode, reason].join(" "));
    assert.deepEqual(told, [
      "FLAG_NOT_FOUND ERROR",
      "TYPE_MISMATCH ERROR",
      "TYPE_MISMATCH ERROR",
      "PARSE_ERROR ERROR",
      "TARGETING_KEY_MISSING ERROR",
      "INVALID_CONTEXT ERROR",
    ]);
    assert.deepEqual(codes.map(({ value }) => value), [true, true, {}, true, false, false]);
    assert.equal(codes[1].errorMessage, "the flag's value is of another type");
  });

  test("a provider that gets its flags late is ready then", async (t) => {
    const { service, client, told } = await opened(t, { initTimeoutMs: 20, status: { snapshot: 503, stream: 503 } });
    assert.equal(client.providerStatus, "ERROR");
    assert.deepEqual(told, ["PROVIDER_NOT_READY", "Error"]);
    assert.equal((await client.getBooleanDetails("on", false, MIRA)).errorCode, "PROVIDER_NOT_READY");
    Object.assign(service.status, { snapshot: 200, stream: 200 });
    await until(() => told.includes("Ready"));
    assert.equal(await client.getBooleanValue("on", false, MIRA), true);
  });

  test("a key that is refused at once is fatal", async (t) => {
    const { client, told } = await opened(t, { status: { snapshot: 401, stream: 401 } });
    assert.equal(told[0], "PROVIDER_FATAL");
    assert.equal(client.providerStatus, "FATAL");
  });

  test("a client for tests stands for one", async (t) => {
    const made = testClient({ flags: { on: true } });
    const { client, told } = await open(t, new KbworkProvider(made));
    assert.equal(await client.getBooleanValue("on", false), true);
    made.set("on", false);
    assert.equal(await client.getBooleanValue("on", true), false);
    client.track("bought", MIRA, { value: 3 });
    assert.deepEqual(told, ["Ready", "ConfigurationChanged"]);
  });
});

describe("the provider for pages", { concurrency: 4 }, () => {
  test("a context is told once, and flags are evaluated for it", async (t) => {
    const service = await far(t);
    service.flags = FLAGS;
    const made = createPage({ clientId: CLIENT_ID, baseUrl: service.url, logger: logger() });
    await OpenPage.setContext("page", MIRA);
    const provider = new KbworkWebProvider(made);
    t.after(() => provider.onClose());
    await OpenPage.setProviderAndWait("page", provider);
    const client = OpenPage.getClient("page");
    assert.equal(client.getBooleanValue("gold", true), false);
    assert.equal(client.getStringValue("text", "red"), "blue");
    assert.equal(client.getNumberValue("half", 1), 2.5);
    assert.deepEqual(client.getObjectValue("tree", {}), { a: [1] });
    await OpenPage.setContext("page", { targetingKey: "mira", plan: "free" });
    assert.equal(client.getBooleanValue("gold", false), true);
    client.track("bought", { value: 3 });
    await OpenPage.setContext("page", {});
    assert.equal(client.getBooleanDetails("gold", false).errorCode, "TARGETING_KEY_MISSING");
    assert.equal(await made.flush(9_000), true);
    const { context, name, data } = service.batches.flatMap(({ events }) => events).find(({ kind }) => kind === "track");
    assert.deepEqual([context.key, name, data], ["mira", "bought", { value: 3 }]);
  });
});
