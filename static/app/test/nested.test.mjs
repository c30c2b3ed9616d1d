/** Groups within groups, as rows below each other. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.nested-${process.pid}.mjs`);
await build({ stdin: { contents: `export { nested } from "../src/issues/nested.ts";`, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { nested } = await import(made);

const things = [
  { id: 1, who: "bo", lane: "todo" },
  { id: 2, who: "ana", lane: "done" },
  { id: 3, who: "bo", lane: "done" },
  { id: 4, who: "bo", lane: "todo" },
];
const by = (name) => ({
  name,
  groups: (some) => [...new Set(some.map((one) => one[name]))].sort().map((key) => ({ head: { key }, members: some.filter((one) => one[name] === key) })),
});
const rows = (names, folded = []) =>
  nested(things, { splits: names.map(by), inOrder: (some) => some.toSorted((one, other) => other.id - one.id), rowOf: ({ id }) => ({ id }), isFolded: (path) => folded.includes(path) });
/** As one would read them. */
const read = (some) => some.map((row) => (row.id ? String(row.id) : `${row.within ? `${row.within.key} > ` : ""}${row.head.key} ${row.count}${row.folded ? " …" : ""}`));

test("without groups they follow each other in their order", () => {
  assert.deepEqual(read(rows([])), ["4", "3", "2", "1"]);
});

test("each group has its head with how many it has", () => {
  assert.deepEqual(read(rows(["who"])), ["ana 1", "2", "bo 3", "4", "3", "1"]);
});

test("a group within another has only what is of both", () => {
  assert.deepEqual(read(rows(["who", "lane"])), ["ana 1", "ana > done 1", "2", "bo 3", "bo > done 1", "3", "bo > todo 2", "4", "1"]);
});

test("what is folded leaves its head, with all that it has", () => {
  assert.deepEqual(read(rows(["who", "lane"], ["who:bo"])), ["ana 1", "ana > done 1", "2", "bo 3 …"]);
  assert.deepEqual(read(rows(["who", "lane"], ["who:bo/lane:done"])), ["ana 1", "ana > done 1", "2", "bo 3", "bo > done 1 …", "bo > todo 2", "4", "1"]);
});

test("groups of the same key in two others are two", () => {
  const paths = rows(["who", "lane"]).flatMap((row) => row.path ?? []);
  assert.deepEqual(paths, ["who:ana", "who:ana/lane:done", "who:bo", "who:bo/lane:done", "who:bo/lane:todo"]);
});

test("what is grouped is left as it was", () => {
  const before = structuredClone(things);
  rows(["who", "lane"]);
  assert.deepEqual(things, before);
});
