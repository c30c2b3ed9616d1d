/** What is looked for, as it is typed: words, and filters, which buttons put there and take away. */

export type Filter = "kind" | "in" | "is";

/** As the server reads them: a name, and a value or a text in quotes. */
const PARTS = /-?(?:(\w+):)?(?:"[^"]*"|\S+)/g;

/** Where a filter stands in the text. */
function placesOf(text: string, isIt: (name: Filter, value: string) => boolean): [number, number][] {
  return [...text.matchAll(PARTS)].flatMap(({ 0: part, 1: name = "", index }) => {
    const value = part.slice(name.length + 1).replaceAll('"', "").toLowerCase();
    return isFilter(name.toLowerCase()) && value && isIt(name.toLowerCase() as Filter, value) ? [[index, index + part.length]] : [];
  });
}

function isFilter(name: string): boolean {
  return name === "kind" || name === "in" || name === "is";
}

export function hasFilter(text: string, name: Filter, value: string): boolean {
  return placesOf(text, (one, other) => one === name && other === value.toLowerCase()).length > 0;
}

/** With the filter behind the words where it was not there, without it where it was. */
export function withFilter(text: string, name: Filter, value: string): string {
  if (!hasFilter(text, name, value)) return `${text.trim()} ${name}:${value}`.trimStart();
  return cut(text, (one, other) => one === name && other === value.toLowerCase());
}

/** Without any filter of these names. */
export function withoutFilters(text: string, names: readonly Filter[]): string {
  return cut(text, (name) => names.includes(name));
}

/** What was quoted stays as it was typed; what stood around a filter that goes does not run together. */
function cut(text: string, isIt: (name: Filter, value: string) => boolean): string {
  let [kept, from] = ["", 0];
  for (const [start, end] of placesOf(text, isIt)) {
    kept += text.slice(from, start).trimEnd() + (kept || text.slice(from, start).trim() ? " " : "");
    from = end + /^\s*/.exec(text.slice(end))![0].length;
  }
  return from ? (kept + text.slice(from)).trim() : text;
}

/** A piece of an excerpt: whether it is one of the words. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const SIGNS: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };

/** An excerpt as the server tells it, with its words between `<mark>` and `</mark>` and everything else escaped. */
export function pieces(excerpt: string): Piece[] {
  return excerpt
    .split(/<mark>|<\/mark>/)
    .map((part, at) => ({ text: part.replace(/&(?:lt|gt|quot|#x27|amp);/g, (sign) => SIGNS[sign]!), isMarked: at % 2 === 1 }))
    .filter(({ text }) => text);
}
