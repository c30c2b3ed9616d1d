/**
 * A snapshot whose flags and segments are read when somebody asks for them: of ten thousand a program asks for few at its
 * start, and to find where each one ends takes a quarter of the time that reading it does.
 */
import { type Loose, parsed, whole } from "../engine/values.ts";

const LARGE = ["flags", "segments"];
const SPACE = " \t\n\r";
const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [34, 44, 91, 92, 93, 123, 125];

/** What is read of the value that begins there, and where it ends. */
type Found = readonly [value: unknown, end: number];
type Reads = (text: string, begin: number, name: string) => Found;

/**
 * As `parsed`, but for the members of flags and segments: each is a function that answers it, a list where its text is none
 * of JSON, which no flag can be. Throws SyntaxError.
 */
export function outlined(text: string): Loose {
  const [found, end] = objectAt(text, behind(text, -1), largeOrRead);
  if (end < text.length) throw new SyntaxError("something stands behind it");
  return found as Loose;
}

const largeOrRead: Reads = (text, begin, name) => {
  if (LARGE.includes(name) && text[begin] === "{") return objectAt(text, begin, readLater);
  const end = endOf(text, begin);
  return [parsed(text.slice(begin, end)), end];
};

const readLater: Reads = (text, begin) => {
  const end = endOf(text, begin);
  let found: unknown;
  const read = (): unknown => {
    if (text) found = readable(text.slice(begin, end));
    text = ""; // the whole snapshot: it goes with the last flag that was not asked for
    return found;
  };
  return [read, end];
};

function readable(text: string): unknown {
  try {
    return parsed(text);
  } catch {
    return [];
  }
}

/** An object, and where the text goes on behind it. */
function objectAt(text: string, begin: number, read: Reads): Found {
  const found: Record<string, unknown> = Object.create(null);
  let at = behind(text, begin, "{");
  if (text[at] === "}") return [found, behind(text, at)];
  for (;;) {
    const end = behind(text, quoted(text, at));
    const name = whole(JSON.parse(text.slice(at, end)) as string);
    [found[name], at] = read(text, behind(text, end, ":"), name);
    if (text[at] === "}") return [found, behind(text, at)];
    at = behind(text, at, ",");
  }
}

/** Behind this sign, which has to stand there, and the space that follows. */
function behind(text: string, at: number, sign = text[at]): number {
  if (text[at] !== sign) throw new SyntaxError(`${sign} should stand at ${at}`);
  do at++;
  while (SPACE.includes(text[at] ?? "-"));
  return at;
}

/** Where the text in quotes that begins here ends. */
function quoted(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** Where the comma or the bracket stands that ends the value which begins here. */
function endOf(text: string, begin: number): number {
  for (let [at, deep] = [begin, 0]; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = quoted(text, at);
    else if (code === BRACE || code === BRACKET) deep++;
    else if (code === BRACE_END || code === BRACKET_END) {
      if (!deep--) return at;
    } else if (code === COMMA && !deep) return at;
  }
  throw new SyntaxError("it ends in its midst");
}
