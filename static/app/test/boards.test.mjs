/** What two people made of the settings of a board at once: nothing of either is lost unseen. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.boards-${process.pid}.mjs`);
globalThis.navigator ??= { language: "en" };
await build({ stdin: { contents: `export { merge } from "../src/boards/merge.ts";`, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { merge } = await import(made);

const column = (id, name, lanes = [], more = {}) => ({ id, name, lanes, limit: "", hard: false, ...more });
const BASE = {
  name: "Flow", tql: "project = WEB", swimlanes: "", color: "", cards: [],
  columns: [column("1", "Next", ["todo"]), column("2", "Doing", ["doing", "review"]), column("3", "Done", ["done"])],
  filters: [{ id: "a", name: "Bugs", tql: "type = bug" }],
};
const [next, doing, done] = BASE.columns;

/** What comes of it, and the beginning of each word on it. */
function merged(mine, theirs) {
  const { written, both } = merge(BASE, { ...BASE, ...mine }, { ...BASE, ...theirs });
  return { ...written, both, names: written.columns.map(({ name }) => name), lanes: written.columns.map(({ lanes }) => lanes) };
}

test("what one of the two changed is taken, and nothing is said", () => {
  const found = merged(
    { name: "Mine", columns: [{ ...next, limit: "3" }, doing, done] },
    { tql: "project = SEC", color: "priority", columns: [{ ...next, name: "Ahead" }, doing, { ...done, hard: true }], filters: [] },
  );
  assert.deepEqual(found.both, []);
  assert.deepEqual([found.name, found.tql, found.color, found.filters], ["Mine", "project = SEC", "priority", []]);
  assert.deepEqual(found.columns, [{ ...next, name: "Ahead", limit: "3" }, doing, { ...done, hard: true }]);
});

test("what both changed is told, and is mine", () => {
  const found = merged({ name: "Mine", cards: ["due"], columns: [{ ...next, limit: "3" }, doing, done] }, { name: "Theirs", cards: ["label"], columns: [{ ...next, limit: "5" }, doing, done] });
  assert.deepEqual([found.name, found.cards, found.columns[0].limit], ["Mine", ["due"], "3"]);
  assert.equal(found.both.length, 3);
  assert.match(found.both.join(), /Limit of Next: somebody made this “5”.*“Theirs”/);
  assert.deepEqual(merged({ name: "Same" }, { name: "Same" }).both, []);
});

test("columns that came and went on either side", () => {
  const [mine, theirs] = [column(undefined, "Mine"), column("4", "Theirs")];
  const found = merged({ columns: [next, mine, doing, done] }, { columns: [theirs, next, done] });
  assert.deepEqual([found.names, found.both], [["Theirs", "Next", "Mine", "Done"], []]);
  assert.deepEqual(merged({ columns: [done, doing, next] }, { columns: [next, doing, theirs, done] }).names, ["Done", "Doing", "Theirs", "Next"]);
  assert.deepEqual(merged({ columns: [next, doing, done] }, { columns: [done, next, doing] }).names, ["Done", "Next", "Doing"]);
});

test("a column that one removed and the other changed is told", () => {
  const kept = merged({ columns: [next, { ...doing, name: "Working" }, done] }, { columns: [next, done] });
  assert.deepEqual([kept.names, kept.columns[1].id], [["Next", "Working", "Done"], undefined]);
  assert.deepEqual(kept.lanes, [["todo"], ["doing", "review"], ["done"]]);
  assert.match(kept.both[0], /removed “Working”/);
  const gone = merged({ columns: [next, done] }, { columns: [next, { ...doing, limit: "2" }, done] });
  assert.deepEqual(gone.names, ["Next", "Done"]);
  assert.match(gone.both[0], /changed “Doing”/);
});

test("a lane stands in one column, wherever who moved it", () => {
  const moved = merged(
    { columns: [next, { ...doing, lanes: ["doing"] }, { ...done, lanes: ["review", "done"] }] },
    { columns: [{ ...next, lanes: ["todo", "triage"] }, doing, done] },
  );
  assert.deepEqual([moved.lanes, moved.both], [[["todo", "triage"], ["doing"], ["review", "done"]], []]);
  const both = merged(
    { columns: [{ ...next, lanes: ["todo", "review"] }, { ...doing, lanes: ["doing"] }, done] },
    { columns: [next, { ...doing, lanes: ["doing"] }, { ...done, lanes: ["done", "review"] }] },
  );
  assert.deepEqual(both.lanes, [["todo", "review"], ["doing"], ["done"]]);
  assert.match(both.both[0], /review.*Done/);
  const twins = [column(undefined, "New column", ["review"]), column(undefined, "New column", [])];
  assert.deepEqual(merged({ columns: [next, { ...doing, lanes: ["doing"] }, done, ...twins] }, {}).lanes, [["todo"], ["doing"], ["done"], ["review"], []]);
});
