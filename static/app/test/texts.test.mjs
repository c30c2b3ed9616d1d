/** What people read stands in the files of texts, whole, so that a second language is a second file of each. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as acorn from "acorn";
import { transform } from "esbuild";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));
const IS_TEXTS = /(?:texts|words|reasons)\.ts$/;
/** What elements show or say of themselves, and what a command or a choice is called. */
const SHOWN = ["children", "title", "aria-label", "placeholder", "label", "hint"];
const CALLED = ["title", "label", "hint", "group"];
/** Elements whose content is of no language: keys, and what one types. */
const OF_NO_LANGUAGE = ["kbd", "code"];
/** Samples of what is typed, and what the query language calls it. */
const SAMPLES = ["WEB", "WEB-1", "WEB-12", "key", "https://", "type = bug", " order by ", "srv_… "];

/** The texts that an expression may come to. */
function textsOf(node) {
  if (node?.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node?.type === "TemplateLiteral") return [node.quasis.map(({ value }) => value.cooked).join("")];
  if (node?.type === "ArrayExpression") return node.elements.flatMap(textsOf);
  if (node?.type === "ConditionalExpression") return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  return node?.type === "LogicalExpression" ? textsOf(node.right) : [];
}

/** What stands in a program that somebody would read. */
function strayIn(node) {
  if (Array.isArray(node)) return node.flatMap(strayIn);
  if (!node?.type) return [];
  const found = [];
  const nameOf = ({ key }) => key?.name ?? key?.value;
  if (node.type === "CallExpression" && /^_?jsxs?$/.test(node.callee.name ?? "") && !OF_NO_LANGUAGE.includes(node.arguments[0].value)) {
    const props = node.arguments[1].properties ?? [];
    found.push(...props.filter((one) => SHOWN.includes(nameOf(one))).flatMap(({ value }) => textsOf(value)));
  }
  // Of names that programs have, too, those that begin as people write.
  if (node.type === "Property" && CALLED.includes(nameOf(node))) found.push(...textsOf(node.value).filter((text) => /^\p{Lu}\p{Ll}/u.test(text)));
  return [...found.filter((text) => /\p{L}{2}/u.test(text) && !SAMPLES.includes(text)), ...Object.values(node).flatMap(strayIn)];
}

async function strayOf(source, loader) {
  const { code } = await transform(source, { loader, jsx: "automatic", jsxImportSource: "preact", target: "es2022" });
  return [...new Set(strayIn(acorn.parse(code, { ecmaVersion: 2022, sourceType: "module" })))];
}

test("every text that is not a name stands with the others", async () => {
  const paths = (await readdir(SOURCE, { recursive: true })).filter((path) => /\.tsx?$/.test(path) && !IS_TEXTS.test(path));
  assert.ok(paths.length > 200);
  for (const path of paths) {
    assert.deepEqual(await strayOf(await readFile(join(SOURCE, path), "utf8"), path.split(".").at(-1)), [], path);
  }
});

test("one that does not is found", async () => {
  const source = 'const a = <p title="Not here">{on ? "Nor here" : t.here} <kbd>Esc</kbd>{" of "}</p>; offer([{ id: "one", title: "Nor this" }]);';
  assert.deepEqual(await strayOf(source, "tsx"), ["Not here", "Nor here", " of ", "Nor this"]);
});
