/** Finding by a few letters, a typing error among them. */
import UFuzzy from "@leeoniya/ufuzzy";

const make = (): UFuzzy => new UFuzzy({
  intraMode: 1,
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: "\\p{Ll}\\p{Lu}",
  intraBound: "\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}",
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});
let fuzzy: UFuzzy | undefined;
/** Beyond so many hits the order says little. */
const RANKED = 1_000;

export function rankBy<T>(text: string, things: readonly T[], word: (thing: T) => string): T[] {
  fuzzy ??= make();
  const words = UFuzzy.latinize(things.map(word));
  const [asked = ""] = UFuzzy.latinize([text]);
  const [found, info, order] = fuzzy.search(words, asked, 1, RANKED);
  const at = order && info ? order.map((index) => info.idx[index]!) : (found ?? []);
  return at.map((index) => things[index]!);
}
