import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kbwork/flags";
import { FlagsProvider, useFlag, useFlagDetail, useFlagsClient } from "@kbwork/flags/react";
import { testClient } from "@kbwork/flags/testing";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { far, flag, logger, SDK_KEY } from "./far.mjs";

const GOLD = { clauses: [{ attribute: "plan", op: "in", values: ["gold"] }], variation: 1 };

function Shows() {
  const detail = useFlagDetail("gold", true);
  return `${useFlag("text", "red")} ${useFlag("half", 1)} ${JSON.stringify(useFlag("tree", {}))} ${detail.value} ${detail.reason}`;
}

const rendered = (client, context) =>
  renderToString(createElement(FlagsProvider, { client, context }, createElement(Shows))).replaceAll("&quot;", '"');

test("a server renders flags for the context of each request, and counts none", async (t) => {
  const service = await far(t);
  service.flags = { text: flag("blue"), half: flag(2.5), tree: flag({ a: [1] }), gold: flag(true, { rules: [GOLD] }) };
  const client = createClient({ sdkKey: SDK_KEY, baseUrl: service.url, logger: logger() });
  t.after(() => client.close());
  assert.match(rendered(client, { key: "mira" }), /^red 1 {} true ERROR$/);
  await client.ready();
  assert.equal(rendered(client, { key: "mira", plan: "gold" }), 'blue 2.5 {"a":[1]} false TARGETING_MATCH');
  assert.equal(rendered(client, { key: "bo", plan: "free" }), 'blue 2.5 {"a":[1]} true DEFAULT');
  await client.flush();
  assert.deepEqual(service.batches, []);
});

test("a client for tests stands for one, and without a provider defaults are shown", () => {
  const client = testClient({ flags: { text: "blue", gold: false } });
  assert.equal(rendered(client), "blue 1 {} false DEFAULT");
  assert.equal(renderToString(createElement(Shows)).replaceAll("&quot;", '"'), "red 1 {} true ERROR");
  const found = [];
  const Holder = () => (found.push(useFlagsClient()), null);
  renderToString(createElement(FlagsProvider, { client }, createElement(Holder)));
  renderToString(createElement(Holder));
  assert.deepEqual(found, [client, undefined]);
});
