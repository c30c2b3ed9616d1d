/**
 * A snapshot whose flags and segments are read when somebody asks for them: of ten thousand a program asks for few at its
 * start, and to find where each one ends takes half the time that reading it does. What was not read stays the
 * bytes that came, which are nothing to whoever collects garbage.
 */
import { type Loose, parsed, whole } from "../engine/values.ts";
import { decoded } from "./decoding.ts";

const LARGE = ["flags", "segments"];
const SPACE = [9, 10, 13, 32];
const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [34, 44, 58, 91, 92, 93, 123, 125];

/** Where the signs of an object stand: colon and comma of each member, and in the place of the last comma its end. */
type Signs = readonly number[];
type Reads = (begin: number, end: number, name: string) => unknown;

/**
 * JSON as `parsed` has it, but for the members of flags and segments: each is a function that answers it, a list where it is
 * no JSON, which no flag can be. Throws SyntaxError or TypeError.
 */
export function outlined(json: Uint8Array): Loose {
  const [outer, inner] = signsOf(json);
  let next = 0;
  return objectAt(json, 0, json.length, outer, (begin, end, name) => {
    const first = next;
    while (inner[next]! < end) next++;
    if (!LARGE.includes(name) || json[behindSpace(json, begin)] !== BRACE) return parsed(decoded(json.subarray(begin, end)));
    return objectAt(json, begin, end, inner.slice(first, next), (from, to) => readLater(json, from, to));
  });
}

/** What it answers holds nothing but this, so that the whole snapshot goes with the last flag that was not asked for. */
function readLater(json: Uint8Array, begin: number, end: number): () => unknown {
  let rest: Uint8Array | undefined = json;
  let found: unknown;
  return () => {
    if (rest) found = readable(rest, begin, end);
    rest = undefined;
    return found;
  };
}

function readable(json: Uint8Array, begin: number, end: number): unknown {
  try {
    return parsed(decoded(json.subarray(begin, end)));
  } catch {
    return [];
  }
}

/** The signs of the outermost object, and of all within it together. One loop, since V8 compiles each further one. */
function signsOf(json: Uint8Array): [outer: Signs, inner: Signs] {
  const outer: number[] = [];
  const inner: number[] = [];
  for (let [at, deep] = [0, 0]; at < json.length; at++) {
    const code = json[at];
    if (code === QUOTE) {
      while (++at < json.length && json[at] !== QUOTE) if (json[at] === BACKSLASH) at++;
    } else if (code === BRACE || code === BRACKET) deep++;
    else if (code === BRACE_END || code === BRACKET_END) {
      if (deep < 3) (deep < 2 ? outer : inner).push(at);
      deep--;
    } else if (deep < 3 && (code === COMMA || code === COLON)) (deep < 2 ? outer : inner).push(at);
  }
  return [outer, inner];
}

/** The object between these places. What is between its signs is looked at by whoever reads it. */
function objectAt(json: Uint8Array, begin: number, end: number, signs: Signs, read: Reads): Loose {
  const found: Record<string, unknown> = Object.create(null);
  const open = behindSpace(json, begin);
  const last = signs.at(-1)!;
  if (json[open] !== BRACE || json[last] !== BRACE_END || behindSpace(json, last + 1) < end) throw bad(begin);
  if (signs.length === 1 && behindSpace(json, open + 1) === last) return found;
  namesOf(json, open, signs).forEach((name, place) => {
    found[whole(name)] = read(signs[2 * place]! + 1, signs[2 * place + 1]!, name);
  });
  return found;
}

/** The names of members. They are read together: to read ten thousand texts one by one takes twice the time. */
function namesOf(json: Uint8Array, open: number, signs: Signs): string[] {
  const list = [BRACKET];
  for (let [place, from] = [0, open]; place < signs.length; place += 2) {
    const [colon, comma] = [signs[place]!, signs[place + 1]!];
    if (json[colon] !== COLON || (place + 2 < signs.length && json[comma] !== COMMA)) throw bad(colon);
    while (++from < colon) list.push(json[from]!);
    list.push(COMMA);
    from = comma;
  }
  list[list.length - 1] = BRACKET_END;
  const names: unknown[] = JSON.parse(decoded(new Uint8Array(list)));
  if (names.length * 2 !== signs.length || names.some((name) => typeof name !== "string")) throw bad(open);
  return names as string[];
}

function behindSpace(json: Uint8Array, at: number): number {
  while (SPACE.includes(json[at]!)) at++;
  return at;
}

function bad(at: number): Error {
  return new SyntaxError(`it is no JSON at ${at}`);
}
