/** When a sprint would be done, between the best and the slowest pace of those before it; and what changed its scope. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.burn-${process.pid}.mjs`);
const parts = `export { forecastOf } from "../src/burn/forecast.ts"; export * from "../src/burn/changes.ts";`;
await build({ stdin: { contents: parts, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { forecastOf, gathered, grownBy, hasChanges } = await import(made);

const DAY_S = 86_400;
const done = (issues, days, more = {}) => ({ started_at: 0, completed_at: days * DAY_S, counts: { done: issues, estimate_done: 0 }, ...more });
const told = (left) => [{ date: "2027-01-30", left: 20, scope: 20 }, { date: "2027-01-31", left, scope: 20 }];

test("a range from the best to the slowest pace, with the middle one between", () => {
  const found = forecastOf(told(10), [done(10, 10), done(20, 10), done(5, 10)], false);
  assert.deepEqual(found, { days: { earliest: 5, likely: 10, latest: 20 }, dates: { earliest: "2027-02-05", likely: "2027-02-10", latest: "2027-02-20" } });
  assert.equal(forecastOf(told(10), [done(10, 10), done(30, 10)], false).days.likely, 5);
});

test("points by points alone", () => {
  const before = [done(10, 10, { counts: { done: 1, estimate_done: 20 } }), done(10, 10, { counts: { done: 90, estimate_done: 10 } })];
  assert.deepEqual(Object.values(forecastOf(told(10), before, true).days), [5, 7, 10]);
});

test("nothing is told where nothing can be", () => {
  const two = [done(10, 10), done(20, 10)];
  assert.equal(forecastOf(told(0), two, false), undefined);
  assert.equal(forecastOf([], two, false), undefined);
  assert.equal(forecastOf(told(10), [done(10, 10), done(0, 10)], false), undefined);
  assert.equal(forecastOf(told(10), [done(10, 10), done(9, 9, { started_at: null })], false), undefined);
  assert.equal(forecastOf(told(10), two, true), undefined);
  assert.ok(forecastOf(told(1e9), two, false).days.latest < 1_000);
});

const change = (by, added, key, size = 1) => ({ by, added, key, title: `About ${key}`, size });
const dayOf = (scope, ...changes) => ({ date: "2027-01-30", left: scope, scope, changes, more: 0, hidden: 0 });

test("what one put in, or took out, on a day is told together, in the order of time", () => {
  const found = gathered(dayOf(9, change("cy", true, "WEB-1", 3), change("bo", false, "WEB-2"), change("cy", true, "WEB-3"), change(null, false, "WEB-4"), change("cy", false, "WEB-1", 3)));
  assert.deepEqual(
    found.map(({ by, added, issues }) => [by, added, issues.map(({ key, size }) => `${key} ${size}`)]),
    [["cy", true, ["WEB-1 3", "WEB-3 1"]], ["bo", false, ["WEB-2 1"]], [undefined, false, ["WEB-4 1"]], ["cy", false, ["WEB-1 3"]]],
  );
  assert.deepEqual(gathered(dayOf(9)), []);
});

test("how much came in is what is more than the day before, on the first day what was not planned", () => {
  const days = [dayOf(3, change("cy", true, "WEB-1", 2), change("bo", false, "WEB-2", 0.5)), dayOf(3), dayOf(1.1), dayOf(1.4)];
  assert.deepEqual(days.map((_, at) => grownBy(days, at)), [1.5, 0, -1.9, 0.3]);
});

test("a day has changes though they even out, or are of what one does not see", () => {
  assert.ok(!hasChanges(dayOf(3)));
  assert.ok(hasChanges(dayOf(3, change("cy", true, "WEB-1"), change("cy", false, "WEB-2"))));
  assert.ok(hasChanges({ ...dayOf(3), hidden: 1 }));
  assert.ok(hasChanges({ ...dayOf(3), more: 1 }));
});
