/**
 * A snapshot whose flags and segments are read when somebody asks for them: of ten thousand a program asks for few at its
 * start, and to find where each one ends takes a quarter of the time that reading it does. What was not read stays the
 * bytes that came, which are nothing to whoever collects garbage.
 */
import { type Loose, parsed, whole } from "../engine/values.ts";
import { decoded } from "./decoding.ts";

const LARGE = ["flags", "segments"];
const SPACE = [9, 10, 13, 32];
const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [34, 44, 58, 91, 92, 93, 123, 125];

/** What is read of the value that begins there, and where it ends. */
type Found = readonly [value: unknown, end: number];
type Reads = (json: Uint8Array, begin: number, name: string) => Found;

/**
 * JSON as `parsed` has it, but for the members of flags and segments: each is a function that answers it, a list where it is
 * no JSON, which no flag can be. Throws SyntaxError or TypeError.
 */
export function outlined(json: Uint8Array): Loose {
  const [found, end] = objectAt(json, behind(json, -1), largeOrRead);
  if (end < json.length) throw new SyntaxError("something stands behind it");
  return found as Loose;
}

const largeOrRead: Reads = (json, begin, name) => {
  if (LARGE.includes(name) && json[begin] === BRACE) return objectAt(json, begin, readLater);
  const end = endOf(json, begin);
  return [parsed(decoded(json.subarray(begin, end))), end];
};

const readLater: Reads = (json, begin) => {
  const end = endOf(json, begin);
  let rest: Uint8Array | undefined = json;
  let found: unknown;
  const read = (): unknown => {
    if (rest) found = readable(rest, begin, end);
    rest = undefined; // the whole snapshot: it goes with the last flag that was not asked for
    return found;
  };
  return [read, end];
};

function readable(json: Uint8Array, begin: number, end: number): unknown {
  try {
    return parsed(decoded(json.subarray(begin, end)));
  } catch {
    return [];
  }
}

/** An object, and where the text goes on behind it. */
function objectAt(json: Uint8Array, begin: number, read: Reads): Found {
  const found: Record<string, unknown> = Object.create(null);
  let at = behind(json, begin, BRACE);
  if (json[at] === BRACE_END) return [found, behind(json, at)];
  for (;;) {
    const end = behind(json, quoted(json, at));
    const name = whole(JSON.parse(decoded(json.subarray(at, end))) as string);
    [found[name], at] = read(json, behind(json, end, COLON), name);
    if (json[at] === BRACE_END) return [found, behind(json, at)];
    at = behind(json, at, COMMA);
  }
}

/** Behind this sign, which has to stand there, and the space that follows. */
function behind(json: Uint8Array, at: number, sign = json[at]): number {
  if (json[at] !== sign) throw new SyntaxError(`it is no JSON at ${at}`);
  do at++;
  while (SPACE.includes(json[at]!));
  return at;
}

/** Where the text in quotes that begins here ends. */
function quoted(json: Uint8Array, begin: number): number {
  for (let at = begin + 1; at < json.length; at++) {
    const code = json[at];
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return json.length;
}

/** Where the comma or the bracket stands that ends the value which begins here. */
function endOf(json: Uint8Array, begin: number): number {
  for (let [at, deep] = [begin, 0]; at < json.length; at++) {
    const code = json[at];
    if (code === QUOTE) at = quoted(json, at);
    else if (code === BRACE || code === BRACKET) deep++;
    else if (code === BRACE_END || code === BRACKET_END) {
      if (!deep--) return at;
    } else if (code === COMMA && !deep) return at;
  }
  throw new SyntaxError("it ends in its midst");
}
