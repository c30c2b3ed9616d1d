import assert from "node:assert/strict";
import { test } from "node:test";
import { testClient } from "@kbwork/flags/testing";

test("a client for tests serves what it is told", async () => {
  const client = testClient({ flags: { on: true, text: "a", figure: 2, tree: { a: [1] } } });
  assert.equal(await client.ready(), true);
  assert.deepEqual(client.booleanDetail("on", false, { key: "ana" }), { value: true, variation: 0, reason: "DEFAULT" });
  assert.deepEqual([client.string("text", "b"), client.number("figure", 0)], ["a", 2]);
  assert.equal(client.numberDetail("text", 3).errorKind, "WRONG_TYPE");
  assert.equal(client.stringDetail("none", "b").errorKind, "FLAG_NOT_FOUND");
  client.json("tree", null).a.push(2);
  assert.deepEqual(client.jsonDetail("tree", null).value, { a: [1] });
  const heard = [];
  client.subscribe(() => heard.push("any"));
  client.watch("on", (detail) => heard.push(detail.value));
  client.set("text", "c");
  client.set("on", false);
  client.set("tree", undefined);
  assert.deepEqual(heard, ["any", "any", false, "any"]);
  assert.equal(client.json("tree", "gone"), "gone");
  client.track("bought", { price: 3 });
  await client.identify({ key: "bo" });
  assert.equal(await client.flush(), true);
  await client.close();
  assert.deepEqual(client.status, { connected: true, ageMs: 0, lastError: null });
});
