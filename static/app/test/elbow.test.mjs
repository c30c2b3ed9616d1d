/** Lines from the end of one bar to the start of another. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.elbow-${process.pid}.mjs`);
await build({ stdin: { contents: `export { elbow, tip } from "../src/layouts/elbow.ts";`, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { elbow, tip } = await import(made);

test("where there is room it turns twice", () => {
  assert.equal(elbow({ x: 100, y: 18 }, { x: 200, y: 90 }, 36), "M100 18H108V90H200");
  assert.equal(elbow({ x: 100, y: 18 }, { x: 116, y: 90 }, 36), "M100 18H108V90H116");
});

test("where it has to go back it does so between two rows, from above and from below", () => {
  assert.equal(elbow({ x: 100, y: 18 }, { x: 40, y: 90 }, 36), "M100 18H108V72H32V90H40");
  assert.equal(elbow({ x: 100, y: 90 }, { x: 100, y: 18 }, 28), "M100 90H108V32H92V18H100");
});

test("its tip ends where it ends", () => {
  assert.equal(tip({ x: 200, y: 90 }), "M200 90l-6 -4v8z");
});
