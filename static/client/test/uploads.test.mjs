import assert from "node:assert/strict";
import { test } from "node:test";
import { behind, client } from "./world.mjs";

const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251);

const content = async (kb, id) => new Uint8Array(await (await kb.download(id)).arrayBuffer());

test("a file goes up in pieces, and comes down as it was", async () => {
  const kb = client();
  const issue = await kb.issues.create({ project: "WEB", title: "With a file" });
  const told = [];
  const sent = await kb.upload(bytes, { name: "zähler.log", pieceBytes: 100_000, onProgress: (at) => told.push(at.sent) });
  assert.deepEqual([sent.size, told], [300_000, [0, 100_000, 200_000, 300_000]]);
  const file = await kb.attachments.add({ subject: issue.key, name: "zähler.log", data: "", upload: sent.upload });
  assert.deepEqual(await content(kb, file.id), bytes);
  const { url } = await kb.attachments.get({ id: file.id, as_url: true });
  const link = new URL(url, kb.url).href;
  const rest = await kb.download(link, { from: 299_000 });
  assert.deepEqual([rest.status, new Uint8Array(await rest.arrayBuffer())], [206, bytes.slice(299_000)]);
  await assert.rejects(kb.download("a_nothing"), { slug: "not-found" });
});

test("an upload that is cut goes on from what the server has", async (t) => {
  const faults = [undefined, undefined, { sent: 60_000 }, undefined, { status: 503 }, "before", "after", undefined];
  const { kb, seen } = await behind(t, faults);
  const told = [];
  const sent = await kb.upload(new Blob([bytes]), { pieceBytes: 100_000, onProgress: (at) => told.push(at.sent) });
  assert.deepEqual(told, [...told].sort((a, b) => a - b));
  assert.ok(told.some((at) => at > 0 && at % 100_000), `a part of a piece was kept: ${told}`);
  const [made] = seen;
  assert.deepEqual([made.method, made.headers["upload-length"]], ["POST", "300000"]);
  const issue = await kb.issues.create({ project: "WEB", title: "With a file that was cut" });
  const file = await kb.attachments.add({ subject: issue.key, name: "cut.bin", data: "", upload: sent.upload });
  assert.deepEqual(await content(kb, file.id), bytes);
});

test("an upload is gone on with later, by its id", async () => {
  const kb = client();
  const ends = new AbortController();
  let upload;
  const begun = kb.upload(bytes, { pieceBytes: 100_000, signal: ends.signal, onProgress: (at) => {
    upload = at.upload;
    if (at.sent === 200_000) ends.abort(new Error("the page was closed"));
  } });
  await assert.rejects(begun, { message: "the page was closed" });
  const told = [];
  await kb.upload(bytes, { upload, onProgress: (at) => told.push(at.sent) });
  assert.deepEqual(told, [200_000, 300_000]);
});

test("an upload ends where the server refuses it or nothing moves", async (t) => {
  await assert.rejects(client().upload("text", { upload: "nothing" }), { slug: "not-found" });
  const full = { status: 503, headers: {}, body: "" };
  const { kb } = await behind(t, [undefined, full, undefined, full, undefined]);
  await assert.rejects(kb.upload("text", { retries: 1 }), { status: 503 });
});
