/** What a page of settings changes is named on it, by its operation. */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SETTINGS = join(HERE, "../src/settings");
const made = join(HERE, `.settings-${process.pid}.mjs`);
await build({ entryPoints: [join(SETTINGS, "operations.ts")], bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { OPERATIONS } = await import(made);
const read = (path) => readFile(path, "utf8");
const places = [...(await read(join(SETTINGS, "places.ts"))).matchAll(/ place\("([^"]+)".*import\("([^"]+)"\)/g)];

/** A page with what it is made of, without what pages share. */
async function filesOf(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, other] of (await read(path)).matchAll(/from "(\.[^"]+\.tsx)"/g)) {
    const next = resolve(dirname(path), other);
    if (next.startsWith(SETTINGS) && !next.includes("/parts/")) await filesOf(next, found);
  }
  return found;
}

async function changedBy(path) {
  const texts = await Promise.all([...(await filesOf(path))].map(read));
  return texts.flatMap((text) => [...text.matchAll(/\b(?:act|attempt)\(\s*"([a-z_.]+)"/g)].map(([, op]) => op));
}

test("each page names what it is changed by, and each operation is there, for the command line too", async () => {
  const { modules } = JSON.parse(await read(join(HERE, "../../../kbwork/contract/cli.json")));
  assert.deepEqual(Object.keys(OPERATIONS), places.map(([, id]) => id));
  for (const [, id, path] of places) {
    const named = OPERATIONS[id];
    assert.ok(named.length > 0, id);
    const missing = (await changedBy(join(SETTINGS, path))).filter((op) => !named.includes(op));
    assert.deepEqual(missing, [], id);
    for (const op of named) {
      const [module, verb] = op.split(".");
      assert.ok(modules[module]?.verbs[verb], op);
    }
  }
});
