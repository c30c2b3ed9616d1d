import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, kbwork, version } from "@kbwork/client";
import { KEY, SESSION, URL_, client } from "./world.mjs";

test("an operation is called by its name, or as a method", async () => {
  const kb = client();
  const made = await kb.call("issues.create", { project: "WEB", title: "By its name" });
  const found = await kb.issues.get({ key: made.key });
  assert.deepEqual([found.id, found.title], [made.id, "By its name"]);
  assert.ok(kb.seq > 0);
  assert.equal((await kb.auth.me()).member.handle, "ana");
});

test("a client is no promise, and its modules are none", async () => {
  const kb = client();
  assert.equal(await kb, kb);
  assert.equal(await kb.issues, kb.issues);
});

test("a refusal says which one it is and what to mend", async () => {
  const kb = client();
  await assert.rejects(kb.issues.get({ key: "WEB-4711" }), (refused) => {
    assert.ok(refused instanceof Problem && refused instanceof Error);
    assert.deepEqual([refused.name, refused.slug, refused.status, refused.errors], ["Problem", "not-found", 404, []]);
    assert.equal(refused.message, `${refused.title}: ${refused.detail}`);
    return true;
  });
  await assert.rejects(kb.issues.create({ project: "WEB", titel: "x" }), (refused) => {
    assert.deepEqual([refused.slug, refused.status], ["unknown-field", 422]);
    assert.equal(refused.errors[0].path, "titel");
    return true;
  });
  await assert.rejects(client({ key: "kb_wrong" }).auth.me(), { slug: "unauthenticated", status: 401 });
});

test("an answer that is known already is not sent again", async () => {
  const kb = client();
  const { id } = await kb.labels.save({ name: "told at first" });
  const asked = { q: "told" }; // others make labels meanwhile
  const first = await kb.ask("labels.list", asked);
  assert.equal(first.fresh, true);
  const again = await kb.ask("labels.list", asked, { etag: first.etag });
  assert.deepEqual([again.fresh, again.data, again.etag], [false, undefined, first.etag]);
  await kb.labels.save({ id, name: "told anew" });
  const changed = await kb.ask("labels.list", asked, { etag: first.etag });
  assert.deepEqual([changed.fresh, changed.data.map((label) => label.name)], [true, ["told anew"]]);
});

test("a write is done once for each idempotency key", async () => {
  const kb = client();
  const asked = { project: "WEB", title: "Once" };
  const first = await kb.ask("issues.create", asked, { idempotencyKey: "the same" });
  const again = await kb.ask("issues.create", asked, { idempotencyKey: "the same" });
  assert.deepEqual([first.replayed, again.replayed, again.data.key], [false, true, first.data.key]);
  assert.notEqual((await kb.issues.create(asked)).key, first.data.key);
});

test("a batch stands or falls as one", async () => {
  const kb = client();
  const [label, me, labels] = await kb.batch([
    ["labels.save", { name: "in a batch" }],
    ["auth.me", {}],
    ["labels.list", {}],
  ]);
  assert.deepEqual([label.name, me.member.handle], ["in a batch", "ana"]);
  assert.ok(labels.some((one) => one.id === label.id));
  await assert.rejects(
    kb.batch([
      ["labels.save", { name: "never made" }],
      ["issues.get", { key: "WEB-4711" }],
    ]),
    { slug: "not-found" },
  );
  assert.ok((await kb.labels.list()).every((one) => one.name !== "never made"));
});

test("a list is gone through page by page, and by its entries", async () => {
  const kb = client();
  await kb.projects.create({ key: "PAGES", name: "Pages" });
  for (let n = 1; n <= 5; n++) await kb.issues.create({ project: "PAGES", title: `No. ${n}` });
  const asked = { project: "PAGES", sort: "key", limit: 2 };
  const sizes = [];
  for await (const page of kb.paged("issues.list", asked)) sizes.push(page.items.length);
  assert.deepEqual(sizes, [2, 2, 1]);
  const titles = [];
  for await (const issue of kb.every("issues.list", { ...asked, columns: ["title"] })) titles.push(issue);
  assert.deepEqual(titles, [1, 2, 3, 4, 5].map((n) => ({ title: `No. ${n}` })));
  const first = [];
  for await (const issue of kb.every("issues.list", asked, { most: 1 })) first.push(issue.title);
  assert.deepEqual(first, ["No. 1", "No. 2"]);
  const projects = [];
  for await (const project of kb.every("projects.list")) projects.push(project.key);
  assert.ok(projects.includes("PAGES"));
});

test("a page of the server signs in by its cookie", async () => {
  const page = (place, init) => {
    const headers = new Headers(init.headers);
    assert.equal(headers.get("authorization"), null);
    headers.set("cookie", `kb=${SESSION}`);
    headers.set("origin", URL_);
    return fetch(place, { ...init, headers });
  };
  const kb = kbwork({ url: URL_, fetch: page });
  assert.equal((await kb.auth.me()).member.handle, "ana");
  assert.equal((await kb.labels.save({ name: "by cookie" })).name, "by cookie");
});

test("what a program did is told to be its own", async () => {
  const kb = client({ name: "tests of the client" });
  const since = (await kb.ask("auth.me", {})).seq;
  await kb.labels.save({ name: "of one's own" });
  const { events } = await kb.api.changes({ since });
  const own = events.filter(({ origin }) => origin === "tests of the client");
  assert.deepEqual(own.map(({ kind }) => kind), ["label.saved"]);
});

test("a request that cannot be made is told at once", async () => {
  assert.throws(() => kbwork(), /Say where the server is/);
  assert.throws(() => kbwork({ url: "no address" }), TypeError);
  await assert.rejects(client({ key: "kb_€" }).auth.me(), TypeError);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(kbwork({ url: `${URL_}/` }).url, URL_);
  assert.equal(KEY.slice(0, 3), "kb_");
});

test("a person lets a program in by a code", async () => {
  const person = client({ key: SESSION });
  const kb = client({ key: undefined });
  const key = await kb.device({
    name: "tests of the client",
    scopes: ["projects:read"],
    show: ({ url, code, expiresInS }) => {
      assert.equal(url, `${URL_}/device?code=${code}`);
      assert.ok(expiresInS > 60);
      return person.auth.device_approve({ user_code: code, approve: true });
    },
  });
  assert.equal(kb.key, key);
  assert.ok(Array.isArray(await kb.labels.list()));
  await assert.rejects(kb.labels.save({ name: "x" }), { slug: "insufficient-scope" });
});
