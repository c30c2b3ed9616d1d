/** What is written as it will be read leaves alone what nobody touched: every block of nasty texts is written on, and all others compared. */
import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.made-${process.pid}.mjs`);
const entry = `
  export { getSchema } from "@tiptap/core";
  export { EditorState } from "@tiptap/pm/state";
  export { KINDS } from "../src/rich/schema.ts";
  export { Sheet } from "../src/rich/sheet.ts";
  export { changesOf } from "../src/rich/difference.ts";
  export { patch } from "../src/rich/patch.ts";
  export { split } from "../src/rich/read.ts";
  export { addressOf } from "../src/rich/address.ts";
`;
await build({ stdin: { contents: entry, resolveDir: HERE, loader: "ts" }, bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { getSchema, EditorState, KINDS, Sheet, changesOf, patch, split, addressOf } = await import(made);
const schema = getSchema(KINDS);
const NASTY = join(HERE, "nasty");
const texts = await Promise.all((await readdir(NASTY)).map(async (name) => [name, await readFile(join(NASTY, name), "utf8")]));

function opened(text) {
  const sheet = new Sheet(schema);
  const { doc, taken } = sheet.become(text);
  taken(doc);
  return { sheet, doc };
}

/** Places in which one writes. */
function places(doc) {
  const found = [];
  doc.descendants((node, at) => void (node.isTextblock && found.push(at + 1)));
  return found;
}

const dense = ({ textContent }) => textContent.replace(/\s/g, "");
const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "");

for (const [name, text] of texts) {
  test(`${name}: its blocks are the text again`, () => {
    const { lead, blocks } = split(text);
    assert.equal(lead + blocks.map((block) => block.text + block.gap).join(""), text);
    const { sheet, doc } = opened(text);
    assert.equal(sheet.changed(doc), text);
  });

  test(`${name}: a word in one block changes no other`, () => {
    const { lead, blocks } = split(text);
    const whole = (list) => list.map((block) => block.text + block.gap).join("");
    const { sheet, doc } = opened(text);
    for (const at of places(doc)) {
      const next = EditorState.create({ doc }).tr.insertText("word", at).doc;
      const place = doc.resolve(at).index(0);
      const [before, behind] = [lead + whole(blocks.slice(0, place)), blocks[place].gap + whole(blocks.slice(place + 1))];
      const written = sheet.changed(next);
      assert.ok(written.startsWith(before) && written.endsWith(behind), `block ${place}: ${written}`);
      const piece = written.slice(before.length, written.length - behind.length);
      assert.ok(piece.includes("word"));
      // What was written is read again as it was meant, and taken back it is the text that it was.
      if (next.child(place).type.name !== "source") assert.equal(dense(opened(piece).doc), dense(next.child(place)));
      assert.equal(sheet.changed(doc), text);
    }
  });

  test(`${name}: a block goes, comes and moves, and the others stay`, () => {
    const { blocks, isOne } = split(text);
    if (isOne) return;
    const { sheet, doc } = opened(text);
    for (let place = 0; place < doc.childCount; place++) {
      const start = doc.children.slice(0, place).reduce((all, node) => all + node.nodeSize, 0);
      const tr = EditorState.create({ doc }).tr.insert(start, schema.nodes.paragraph.create(null, schema.text("New one.")));
      const written = split(sheet.changed(tr.doc)).blocks.map((block) => block.text);
      const others = blocks.map((block) => block.text);
      const left = written.filter((one) => one !== "New one." && one !== "<!-- -->");
      if (place || !text.startsWith("---")) assert.deepEqual(left.join("\n"), others.join("\n"));
      assert.equal(sheet.changed(doc), text);
      if (doc.childCount === 1) continue;
      const gone = EditorState.create({ doc }).tr.delete(start, start + doc.child(place).nodeSize).doc;
      for (const one of others.toSpliced(place, 1)) assert.ok(bare(sheet.changed(gone)).includes(bare(one)));
    }
  });
}

const write = (...nodes) => opened("").sheet.changed(schema.node("doc", null, nodes));
const paragraph = (...said) => schema.node("paragraph", null, said.map((one) => (typeof one === "string" ? schema.text(one) : one)));
const marked = (said, ...marks) => schema.text(said, marks.map((name) => schema.mark(name)));

test("what is typed stays what it looks like", () => {
  for (const said of ["# no heading", "1. no list", "- no list", "> no quote", "a *b* _c_ `d` ~~e~~", "<b>no tag</b>", "[no](link)", "&copy;", "a\\*b", "| a | b |", "--- ", "=== a", "```", "![no](picture)", "<https://a.example>", "[ ] none", "+1", "    four", "<!-- seen -->"]) {
    const { doc } = opened(write(paragraph("Before."), paragraph(said), paragraph("Behind.")));
    assert.deepEqual(doc.children.map((node) => `${node.type.name} ${node.textContent}`), ["paragraph Before.", `paragraph ${said.trim()}`, "paragraph Behind."], said);
  }
});

test("nothing is escaped that need not be", () => {
  for (const said of ["2 * 3 * 4", "snake_case_name", "a < b && c > d", "[[A page]] by @bo for WEB-1", "https://a.example/b_c_d?e=*f*", "[brackets] (and) such", "5 - 3", "1) not at", "C# and #5", "50 %!"]) {
    assert.equal(write(paragraph(`So ${said}`)), `So ${said}`);
  }
});

test("marks stand where Markdown knows them", () => {
  assert.equal(write(paragraph(marked("bold ", "bold"), "then")), "**bold** then");
  assert.equal(write(paragraph("a", marked("b", "bold"), marked("c", "bold", "italic"), marked(" d", "italic"))), "a**b*c*** *d*");
  assert.equal(write(paragraph(marked("a`b", "code"))), "``a`b``");
  for (const [name, tag] of [["bold", "strong"], ["italic", "em"]]) {
    assert.equal(write(paragraph("x", marked("“y”", name), "z")), `x<${tag}>“y”</${tag}>z`);
  }
});

test("lists that stand beside each other stay two", () => {
  const list = (...items) => schema.node("bulletList", null, items.map((said) => schema.node("listItem", null, [paragraph(said)])));
  assert.equal(write(list("a"), list("b")), "- a\n\n* b");
  assert.equal(opened(write(list("a"), list("b"))).doc.childCount, 2);
});

test("what others wrote comes in, and an empty paragraph stays where somebody is about to write", () => {
  const { sheet, doc } = opened("One\n\nTwo\n\nThree\n");
  const empty = EditorState.create({ doc }).tr.insert(5, schema.nodes.paragraph.create()).doc;
  assert.equal(sheet.changed(empty), "One\n\nTwo\n\nThree\n");
  const { doc: next, taken } = sheet.become("One\n\nTwo\n\nThree of them\n\nFour\n");
  taken(next);
  assert.deepEqual(next.children.map((node) => node.textContent), ["One", "", "Two", "Three of them", "Four"]);
  assert.equal(next.child(0), empty.child(0));
  assert.equal(sheet.changed(next), "One\n\nTwo\n\nThree of them\n\nFour\n");
});

test("the cursor stays where one writes while others write around it", () => {
  const text = "# One\n\nTwo of *mine* here\n\n- [ ] a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const { doc } = opened(text);
  for (const [from, to, word] of [["# One", "# One of theirs\n\nNew.", "mine"], ["Two of", "First two of", "here"], ["here", "here and there", "Two"], ["- [ ] a", "- [x] a!", "b"], ["- b", "- between\n- b", "b"], ["1 | 2", "1 | 2 |\n| 3 | 4", "1"], ["Two", "```js\nx\n```\n\nTwo", "here"]]) {
    const next = opened(text.replace(from, to)).doc;
    const tr = EditorState.create({ doc }).tr;
    patch(tr, doc, next, 0);
    assert.ok(tr.doc.eq(next), to);
    let at;
    doc.descendants((node, place) => void (node.isText && node.text.includes(word) && (at ??= place + node.text.indexOf(word) + word.length)));
    const now = tr.mapping.map(at);
    assert.equal(tr.doc.textBetween(Math.max(0, now - word.length), now, "\n"), word, to);
  }
});

test("what was typed is the words that differ, and no sign of two halves is torn", () => {
  const become = (before, text) => changesOf(before, text).reduceRight((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), before);
  const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
  let seed = 7;
  const some = (count) => (seed = (seed * 48_271) % 2_147_483_647) % count;
  const piece = () => ["a", "b ", " ", "\n", "😀", "😁", "é", "word ", "- ", "👩‍👩‍👧"][some(10)];
  let text = "";
  for (let turn = 0; turn < 500; turn++) {
    const signs = [...text];
    for (let edits = some(3); edits >= 0; edits--) signs.splice(some(signs.length + 1), some(4), piece(), piece());
    const next = signs.join("");
    assert.equal(become(text, next), next);
    for (const { from, to, text: put } of changesOf(text, next)) assert.ok(!halves.test(put) && !halves.test(text.slice(from, to)));
    text = next.slice(-200).replace(/^[\udc00-\udfff]/, "");
  }
  assert.deepEqual(changesOf("One two three four", "1 two three 4"), [{ from: 0, to: 3, text: "1" }, { from: 14, to: 18, text: "4" }]);
});

test("an address is what people mean by it", () => {
  for (const [written, meant] of [
    ["example.com", "https://example.com"], [" www.a-b.example/c?d=e#f ", "https://www.a-b.example/c?d=e#f"], ["bücher.example", "https://bücher.example"],
    ["a.example:8443/x", "https://a.example:8443/x"], ["localhost:8080/x", "http://localhost:8080/x"], ["10.0.0.7", "http://10.0.0.7"],
    ["a@b.example", "mailto:a@b.example"], ["a.b+c@b.example?subject=Hello", "mailto:a.b+c@b.example?subject=Hello"],
  ]) assert.equal(addressOf(written), meant);
  for (const same of ["https://a.example", "HTTP://a.example", "//a.example", "/pages/3", "#part", "?q=1", "./x", "docs/guide.md", "guide.md", "guide.md#part", "WEB-12", "two words.example", "@bo", "v1.2", "tel:+49301234", "mailto:a@b.example", "javascript:alert(1)", ""]) {
    assert.equal(addressOf(same), same);
  }
});

/** A table after what is typed, as `word` behind what stands in a cell already, or what becomes of its rows. */
function tableAfter(text, change) {
  const { sheet, doc } = opened(text);
  return sheet.changed(change(EditorState.create({ doc }).tr, doc).doc);
}

const typed = (said, word) => (tr, doc) => {
  let at;
  doc.descendants((node, place) => void (node.isText && node.text.includes(said) && (at ??= place + node.text.indexOf(said) + said.length)));
  return tr.insertText(word, at);
};

test("a table keeps its look where it is written on", () => {
  const padded = "| a     |  b |\n|:------|---:|\n| 1     |  2 |\n| three | 10 |";
  assert.equal(tableAfter(padded, typed("2", "2")), padded.replace("|  2 |", "| 22 |"));
  assert.equal(tableAfter(padded, typed("2", "345")), "| a     |    b |\n|:------|-----:|\n| 1     | 2345 |\n| three |   10 |");
  assert.equal(tableAfter(padded, typed("three", "s")), "| a      |  b |\n|:-------|---:|\n| 1      |  2 |\n| threes | 10 |");
  const spaced = "| a   | b    |\n| --- | ---- |\n| x   | long |";
  assert.equal(tableAfter(spaced, typed("x", "yz and more")), "| a            | b    |\n| ------------ | ---- |\n| xyz and more | long |");
  const ragged = "|a|b |\n|-|:-:|\n|__1__|  2 |\n|*3*|4|";
  assert.equal(tableAfter(ragged, typed("4", "2")), ragged.replace("|4|", "|42|"));
  const bare = "a | b\n--|--\n1 | 2\n3 | 4";
  assert.equal(tableAfter(bare, typed("2", "0")), bare.replace("1 | 2", "1 | 20"));
  const pipes = "| a      | b |\n| ------ | - |\n| x \\| y | `c` |";
  assert.equal(tableAfter(pipes, typed("c", "d")), pipes.replace("`c`", "`cd`"));
});

test("rows that come and go leave the others as they stood", () => {
  const padded = "| a     |  b |\n|:------|---:|\n| 1     |  2 |\n| three | 10 |";
  const row = (...said) => schema.nodes.row.create(null, said.map((one) => schema.nodes.cell.create(null, paragraph(one))));
  const behind = (doc) => doc.child(0).children.reduce((all, node) => all + node.nodeSize, 1);
  assert.equal(tableAfter(padded, (tr, doc) => tr.insert(behind(doc), row("new", "7"))), `${padded}\n| new   |  7 |`);
  assert.equal(tableAfter(padded, (tr, doc) => tr.delete(1 + doc.child(0).child(0).nodeSize, 1 + doc.child(0).child(0).nodeSize + doc.child(0).child(1).nodeSize)), padded.replace("\n| 1     |  2 |", ""));
});
