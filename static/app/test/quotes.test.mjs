/** Words that something was said about: found again when what stands around them, or they themselves, changed. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.quotes-${process.pid}.mjs`);
await build({ entryPoints: [join(HERE, "../src/quotes/anchor.ts")], bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { anchorOf, Flat, parsed, spanOf } = await import(made);

/** The words at the nth place, as an anchor. */
function anchored(text, words, nth = 0) {
  let from = text.indexOf(words);
  for (let count = 0; count < nth; count++) from = text.indexOf(words, from + 1);
  return anchorOf(text, { from, to: from + words.length });
}
/** The text with the words that are found in brackets. */
const found = (text, anchor) => {
  const { from, to } = spanOf(text, anchor);
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
};

test("words are written down with what stands around them, without blanks at their ends", () => {
  const text = "Whoever pays in the cart knows what they pay.";
  assert.deepEqual(anchorOf(text, { from: 12, to: 25 }), { exact: "in the cart", prefix: "Whoever pays ", suffix: " knows what they pay." });
  assert.equal(anchorOf(text, { from: 12, to: 13 }), undefined);
  assert.equal(anchorOf(text, { from: 5, to: 5 }), undefined);
});

test("of a long selection so much is written down as an anchor has room for, and no half of a sign", () => {
  const cut = anchorOf(`a${"\u{1f600}".repeat(2_000)}`, { from: 0, to: 4_001 });
  assert.ok(cut.exact.isWellFormed());
  assert.ok(new TextEncoder().encode(JSON.stringify(cut)).length < 4_096);
});

test("the same words elsewhere are told apart by what stands around them", () => {
  const text = "Pay by card. Pay by bill. Never pay by card twice, and pay by card at last.";
  for (const nth of [0, 1, 2]) {
    const anchor = anchored(text, "by card", nth);
    assert.equal(spanOf(text, anchor).from, [4, 36, 59][nth]);
  }
});

test("they are found though what stood beside them was changed or taken out", () => {
  const text = "One: the fee is paid by us. Two: the fee is paid by them.";
  const second = anchored(text, "the fee is paid", 1);
  assert.equal(found("One: the fee is paid by us. 2nd: the fee is paid by them.", second), "One: the fee is paid by us. 2nd: [the fee is paid] by them.");
  assert.equal(found("Two: the fee is paid by them. One: the fee is paid by us.", second), "Two: [the fee is paid] by them. One: the fee is paid by us.");
  assert.equal(found("Whatever: the fee is paid", second), "Whatever: [the fee is paid]"); // there is but one
});

test("gone words, and those of which nobody knows any more which were meant, are nowhere", () => {
  const text = "One: the fee is paid by us. Two: the fee is paid by them.";
  const second = anchored(text, "the fee is paid", 1);
  assert.equal(spanOf("One: the fees are paid by us.", second), undefined);
  assert.equal(spanOf("", second), undefined);
  assert.equal(spanOf("A the fee is paid! B the fee is paid?", second), undefined);
});

test("without what stands around them it is the first", () => {
  assert.deepEqual(spanOf("on and on", { exact: "on", prefix: "", suffix: "" }), { from: 0, to: 2 });
});

test("a text is read across elements, lines and runs of blanks", () => {
  const pieces = [
    { text: "First\n  line", apart: true }, { text: " with ", apart: false }, { text: "bold", apart: false }, { text: ", ", apart: false },
    { text: "next", apart: true }, { text: "\n", apart: false }, { text: "", apart: true }, { text: "\n  end ", apart: false },
  ];
  const flat = new Flat(pieces);
  assert.equal(flat.text, "First line with bold, next end ");
  const spot = (words, last = false) => {
    const at = flat.text.indexOf(words) + (last ? words.length - 1 : 0);
    const { piece, offset } = flat.spotOf(at);
    return [piece, offset, pieces[piece].text[offset]];
  };
  assert.deepEqual(spot("line"), [0, 8, "l"]);
  assert.deepEqual(spot("with bold", true), [2, 3, "d"]);
  assert.deepEqual(spot("bold, next", true), [4, 3, "t"]);
  assert.deepEqual(spot("end"), [7, 3, "e"]);
  for (const words of ["First", "line", "with", "bold", ",", "next", "end"]) {
    const [piece, offset] = spot(words);
    assert.equal(flat.before({ piece, offset }), flat.text.indexOf(words), words);
  }
  assert.equal(flat.before({ piece: 2, offset: 4 }), flat.text.indexOf(","));
  assert.deepEqual(spanOf(flat.text, { exact: "line with bold, next", prefix: "First ", suffix: " end" }), { from: 6, to: 26 });
});

test("what others wrote down is taken as it is meant, or not at all", () => {
  assert.deepEqual(parsed('{"exact": " two\\nwords ", "prefix": 7}'), { exact: "two words", prefix: "", suffix: "" });
  for (const bad of [null, "", "{", "[]", "7", "null", '{"exact": " "}', '{"exact": 7}', '"exact"']) assert.equal(parsed(bad), undefined, String(bad));
});

test("however much is said about a long text, it is read once, and gone through at most twice for each", () => {
  let reads = 0;
  function* pieces() {
    for (let at = 0; at < 4_000; at++) {
      reads++;
      yield { text: `Line ${at} of many that say the same. `, apart: true };
    }
  }
  const { text } = new Flat(pieces());
  assert.ok(text.length > 100_000);
  assert.equal(reads, 4_000);
  let passes = 0;
  let last = Infinity;
  const counted = {
    slice: (from, to) => text.slice(from, to),
    indexOf(words, from) {
      if (from <= last) passes++; // else it goes on where it was
      last = from;
      return text.indexOf(words, from);
    },
  };
  const anchors = Array.from({ length: 50 }, (_, at) => anchored(text, "say the same", at * 70));
  anchors.push({ exact: "say the same", prefix: "that nobody", suffix: "knows" }, { exact: "not there", prefix: "", suffix: "" });
  for (const anchor of anchors) {
    passes = 0;
    last = Infinity;
    spanOf(counted, anchor);
    assert.ok(passes <= 2, `${passes} passes`);
  }
  assert.equal(spanOf(text, anchors[49]).from, text.indexOf("Line 3430 of") + "Line 3430 of many that ".length);
});
