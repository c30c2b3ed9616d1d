// Style sheets name no side: what stands before a line stands before it wherever that begins.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ROOMS = ["static/app/src", "kbwork/api/pages/static"];
const SIDE = /(margin|padding|border)-(left|right)\b|text-align: *(left|right)\b|(?<![\w-])(left|right):/;
/** Where it is the same to whoever reads: the middle, both sides, a mark that is not turned, what a text's author chose,
 * and what is placed by where the cursor is. */
const SAME = [".bulk", ".row", ".done .tickmark::after", ".ProseMirror .to-right", ".offered"];
const FOUR = /(?<![\w-])(?:margin|padding): *([^;}]+)/g;

const isLopsided = (value) => {
  const sides = value.replaceAll(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "()").trim().split(/\s+/);
  return sides.length === 4 && sides[1] !== sides[3];
};

function* rules() {
  const sheets = ROOMS.flatMap((room) => readdirSync(`${ROOT}/${room}`, { recursive: true }).map((name) => `${room}/${name}`).filter((name) => name.endsWith(".css")));
  for (const file of sheets) {
    const text = readFileSync(`${ROOT}/${file}`, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    for (const [, selector, body] of text.matchAll(/([^{};]+)\{([^{}]*)\}/g)) yield { file, selector: selector.trim(), body };
  }
}

test("no rule names a side", () => {
  const all = [...rules()];
  assert.ok(all.length > 500);
  const found = all.filter(({ selector, body }) => !SAME.includes(selector) && (SIDE.test(body) || [...body.matchAll(FOUR)].some(([, value]) => isLopsided(value))));
  assert.deepEqual(found.map(({ file, selector }) => `${file}: ${selector}`), []);
});

test("what names one all the same is there", () => {
  const named = new Set([...rules()].filter(({ body }) => SIDE.test(body)).map(({ selector }) => selector));
  assert.deepEqual(SAME.filter((selector) => !named.has(selector)), []);
});
