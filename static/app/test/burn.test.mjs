/** When a sprint would be done: between the best and the slowest pace of those before it. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.burn-${process.pid}.mjs`);
await build({ stdin: { contents: `export { forecastOf } from "../src/burn/forecast.ts";`, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { forecastOf } = await import(made);

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
