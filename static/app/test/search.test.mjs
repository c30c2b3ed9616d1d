/** What is typed into search: the filters that buttons put there, and what comes back of them. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const made = join(HERE, `.search-${process.pid}.mjs`);
await build({ entryPoints: [join(HERE, "../src/search/asked.ts")], bundle: true, format: "esm", platform: "node", outfile: made });
after(() => rm(made));
const { hasFilter, pieces, withFilter, withoutFilters } = await import(made);

test("a filter is put behind the words, and taken away as it was", () => {
  assert.equal(withFilter("", "kind", "page"), "kind:page");
  assert.equal(withFilter("late  vouchers ", "in", "WEB"), "late  vouchers in:WEB");
  for (const text of ["late vouchers", '"in the cart" -paid', "is it kind"]) {
    assert.equal(withFilter(withFilter(text, "is", "open"), "is", "open"), text);
  }
});

test("it is found however it is written, and not in a phrase or without it", () => {
  for (const text of ["a KIND:Page b", 'kind:"page"', "x kind:page"]) assert.ok(hasFilter(text, "kind", "page"), text);
  for (const text of ['"kind:page"', "-kind:page", "kind: page", "kind:pages", "in:page", ""]) assert.ok(!hasFilter(text, "kind", "page"), text);
});

test("what is left when filters go reads as before", () => {
  assert.equal(withoutFilters('a kind:page b in:WEB "c d" is:open', ["kind", "in"]), 'a b "c d" is:open');
  assert.equal(withoutFilters("kind:page in:WEB", ["kind", "in"]), "");
  assert.equal(withoutFilters("kind:page words", ["kind"]), "words");
  assert.equal(withoutFilters("two  words ", ["kind"]), "two  words ");
  assert.equal(withFilter("a kind:page b", "kind", "PAGE"), "a b");
});

test("an excerpt is text, whatever stands in it", () => {
  assert.deepEqual(pieces("say &lt;b&gt; to <mark>me</mark> &amp;lt; it&#x27;s"), [
    { text: "say <b> to ", isMarked: false },
    { text: "me", isMarked: true },
    { text: " &lt; it's", isMarked: false },
  ]);
  assert.deepEqual(pieces("<mark>all</mark>"), [{ text: "all", isMarked: true }]);
  assert.deepEqual(pieces(""), []);
});
