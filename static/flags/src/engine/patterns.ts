/**
 * Patterns of `matches`: a subset that every language reads alike, parsed and matched here. A place in the pattern is a
 * number; matching walks the set of all places that the text may have come to, so that it takes as many steps as the text
 * is long, whatever the pattern: `RegExp` takes seconds for `^(a|a)*$` on thirty characters.
 */

const LONGEST = 512;
/** So many code points of a text are looked at. */
const READ = 4096;
const MOST_REPEATS = 1000;
/** So many groups may stand in each other. */
const MOST_DEEP = 50;
/** A pattern that needs more places is taken for one outside the subset. */
const MOST_PLACES = 100_000;
const LAST = 0x10ffff;

/** First and last code points, by turns, in order. */
type Ranges = readonly number[];

const DIGIT: Ranges = [0x30, 0x39];
const WORD: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const SPACE: Ranges = [0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff];
const ANY = negated([0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]);
const CLASSES: Readonly<Record<string, Ranges>> = { d: DIGIT, w: WORD, s: SPACE, D: negated(DIGIT), W: negated(WORD), S: negated(SPACE) };
/** In the order of their code points, of which the first is 9. */
const CONTROLS = "tnvfr";
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;
/** Have to be escaped where they stand for themselves. */
const SPECIAL = "*+?{}])";

/** A part of a pattern, with what decides whether it may be repeated. */
interface Piece {
  /** The product of the counts nested in it. */
  readonly _repeats: number;
  readonly _unbounded: boolean;
  /** It reads nothing. */
  readonly isPlace?: true;
  /** Put down its steps behind those that are there. */
  readonly write: () => void;
}

/** Whether a place between two characters is meant; -1 stands for none there. */
type Holds = (before: number, behind: number) => boolean;

const begins: Holds = (before) => before < 0;
const over: Holds = (_, behind) => behind < 0;
const isEdge: Holds = (before, behind) => isIn(WORD, before) !== isIn(WORD, behind);
const isNoEdge: Holds = (before, behind) => !isEdge(before, behind);

/** A test of whether the pattern is anywhere in a text; undefined where it is outside the subset. */
export function foundIn(pattern: string): ((text: string) => boolean) | undefined {
  const text = [...pattern];
  if (text.length > LONGEST) return undefined;
  try {
    return compiled(text);
  } catch (error) {
    if (error === BAD) return undefined;
    throw error;
  }
}

/** Thrown where a pattern is outside the subset. */
const BAD = Symbol();

/** A pattern as steps: one goes on to the next, to one or two others, or ends the search. */
function compiled(text: readonly string[]): (given: string) => boolean {
  let at = 0;
  let deep = 0;
  const sets: (Ranges | undefined)[] = [];
  const conditions: (Holds | undefined)[] = [];
  /** Where a step leads that reads nothing; of the last one it is -1. */
  const leads: number[] = [];
  const or: number[] = [];
  const pattern = choice();
  if (at < text.length) throw BAD;
  pattern.write();
  step(-1);
  const marks = new Uint32Array(leads.length);
  let mark = 0;
  return isFoundIn;

  function isFoundIn(given: string): boolean {
    const codes = codesOf(given);
    let now: number[] = [];
    for (let here = 0; ; here++) {
      const [before, behind] = [codes[here - 1] ?? -1, codes[here] ?? -1];
      const reached: number[] = [];
      mark++;
      now.push(0); // it may begin at each place
      for (const step of now) if (reach(step, before, behind, reached)) return true;
      if (behind < 0) return false;
      now = reached.filter((step) => isIn(sets[step]!, behind)).map((step) => step + 1);
    }
  }

  /** Add all steps that read and can be come to from here without reading. Says whether the end is one of them. */
  function reach(from: number, before: number, behind: number, reached: number[]): boolean {
    const open = [from];
    while (open.length) {
      const step = open.pop()!;
      if (marks[step] === mark) continue;
      marks[step] = mark;
      const to = leads[step]!;
      if (sets[step]) reached.push(step);
      else if (to < 0) return true;
      else if (conditions[step]?.(before, behind) ?? true) {
        open.push(to);
        if (or[step]! >= 0) open.push(or[step]!);
      }
    }
    return false;
  }

  function step(to: number, set?: Ranges, holds?: Holds): number {
    if (leads.length >= MOST_PLACES) throw BAD;
    sets.push(set);
    conditions.push(holds);
    or.push(-1);
    return leads.push(to) - 1;
  }

  function here(): number {
    return leads.length;
  }

  function set(ranges: Ranges): Piece {
    return { ...PLAIN, write: () => step(here() + 1, ranges) };
  }

  function place(holds: Holds): Piece {
    return { ...PLAIN, isPlace: true, write: () => step(here() + 1, undefined, holds) };
  }

  function choose(all: readonly Piece[]): void {
    const done: number[] = [];
    for (const [place, one] of all.entries()) {
      const fork = place < all.length - 1 ? step(here() + 1) : -1;
      one.write();
      if (fork < 0) continue;
      done.push(step(0));
      or[fork] = here();
    }
    for (const step of done) leads[step] = here();
  }

  function repeat(of: Piece, low: number, high: number | undefined): void {
    for (let count = 0; count < low; count++) of.write();
    if (high === undefined) {
      const fork = step(here() + 1);
      of.write();
      step(fork);
      or[fork] = here();
      return;
    }
    const forks: number[] = [];
    for (let count = low; count < high; count++) {
      forks.push(step(here() + 1));
      of.write();
    }
    for (const fork of forks) or[fork] = here();
  }

  // -- reading, from left to right ------------------------------------------------------------------------------

  function choice(): Piece {
    const all = [sequence()];
    while (take("|")) all.push(sequence());
    return joined(all, () => choose(all));
  }

  function sequence(): Piece {
    const all: Piece[] = [];
    while (at < text.length && next() !== "|" && next() !== ")") all.push(repeated());
    return joined(all, () => all.forEach((one) => one.write()));
  }

  function next(): string {
    return text[at] ?? "";
  }

  function take(sign: string): boolean {
    const taken = next() === sign;
    if (taken) at++;
    return taken;
  }

  function atom(): Piece {
    const sign = next();
    if (sign === "(") return group();
    if (sign === "[") return set(among());
    if (SPECIAL.includes(sign)) throw BAD;
    at++;
    if (sign === "^") return place(begins);
    if (sign === "$") return place(over);
    if (sign === ".") return set(ANY);
    if (sign !== "\\") return set(one(sign));
    if (take("b")) return place(isEdge);
    if (take("B")) return place(isNoEdge);
    return set(escape());
  }

  function group(): Piece {
    at++;
    if (++deep > MOST_DEEP) throw BAD;
    if (take("?") && !take(":")) throw BAD;
    const inner = choice(); // a place in parentheses is a sequence, which may be repeated
    deep--;
    if (!take(")")) throw BAD;
    return inner;
  }

  /** What stands behind a backslash, in a class or outside. */
  function escape(): Ranges {
    const sign = next();
    at++;
    if (Object.hasOwn(CLASSES, sign)) return CLASSES[sign]!;
    if (sign && CONTROLS.includes(sign)) return one(String.fromCharCode(9 + CONTROLS.indexOf(sign)));
    if (sign === "x") return code(2);
    if (sign === "u") return code(4);
    if (PUNCTUATION.test(sign)) return one(sign);
    throw BAD;
  }

  function code(digits: number): Ranges {
    let code = hex(digits);
    if (code >= 0xd800 && code < 0xdc00 && take("\\") && take("u")) {
      const low = hex(4);
      if (low >= 0xdc00 && low < 0xe000) code = 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00;
    }
    if (code >= 0xd800 && code < 0xe000) throw BAD;
    return [code, code];
  }

  function hex(digits: number): number {
    const code = text.slice(at, at + digits).join("");
    if (code.length < digits || !/^[\dA-Fa-f]+$/.test(code)) throw BAD;
    at += digits;
    return Number.parseInt(code, 16);
  }

  /** A class in brackets. */
  function among(): Ranges {
    at++;
    const isNegated = take("^");
    const found: number[][] = [];
    while (!take("]")) {
      if (at >= text.length) throw BAD;
      found.push(...member());
    }
    if (!found.length) throw BAD;
    const all = ordered(found);
    return isNegated ? negated(all) : all;
  }

  /** A character, an escape or a range. */
  function member(): number[][] {
    const first = single();
    if (next() !== "-" || text[at + 1] === "]") return pairs(first);
    at++;
    if (at >= text.length) throw BAD;
    const last = single();
    if (!isOne(first) || !isOne(last) || first[0]! > last[0]!) throw BAD;
    return [[first[0]!, last[0]!]];
  }

  function single(): Ranges {
    const sign = next();
    if (sign === "[" || sign === "") throw BAD;
    at++;
    return sign === "\\" ? escape() : one(sign);
  }

  /** A piece with what says how often. */
  function repeated(): Piece {
    const of = atom();
    const counts = bounds();
    if (counts === undefined) return of;
    if (of.isPlace) throw BAD;
    const [low, high] = counts;
    take("?"); // that it takes as little as it can changes nothing of whether it is there
    if (next() && "*+?{".includes(next())) throw BAD;
    if (high === undefined && of._unbounded) throw BAD;
    const repeats = of._repeats * Math.max(1, high ?? low);
    if (repeats > MOST_REPEATS) throw BAD;
    return { _repeats: repeats, _unbounded: of._unbounded || high === undefined, write: () => repeat(of, low, high) };
  }

  /** Least and most, undefined for no end, where a repeat follows. */
  function bounds(): [number, number | undefined] | undefined {
    if (take("*")) return [0, undefined];
    if (take("+")) return [1, undefined];
    if (take("?")) return [0, 1];
    if (!take("{")) return undefined;
    const low = count();
    let high: number | undefined = low;
    if (take(",")) high = next() === "}" ? undefined : count();
    if (!take("}") || (high !== undefined && high < low)) throw BAD;
    return [low, high];
  }

  function count(): number {
    let digits = "";
    while (/^\d$/.test(next())) {
      digits += next();
      at++;
    }
    if (!digits || Number(digits) > MOST_REPEATS) throw BAD;
    return Number(digits);
  }
}

function codesOf(text: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < text.length && found.length < READ; ) {
    const code = text.codePointAt(at)!;
    found.push(code);
    at += code > 0xffff ? 2 : 1;
  }
  return found;
}

const PLAIN = { _repeats: 1, _unbounded: false };

function joined(all: readonly Piece[], write: () => void): Piece {
  return { _repeats: Math.max(1, ...all.map(({ _repeats }) => _repeats)), _unbounded: all.some(({ _unbounded }) => _unbounded), write };
}

function one(sign: string): Ranges {
  const code = sign.codePointAt(0)!;
  return [code, code];
}

function isOne(ranges: Ranges): boolean {
  return ranges.length === 2 && ranges[0] === ranges[1];
}

function pairs(ranges: Ranges): number[][] {
  return Array.from({ length: ranges.length / 2 }, (_, place) => ranges.slice(place * 2, place * 2 + 2));
}

/** The same characters in order, none twice. */
function ordered(ranges: number[][]): Ranges {
  const found: number[] = [];
  for (const [first, last] of ranges.sort(([one], [other]) => one! - other!) as [number, number][]) {
    const end = found.at(-1);
    if (end !== undefined && first <= end + 1) found[found.length - 1] = Math.max(last, end);
    else found.push(first, last);
  }
  return found;
}

/** All other characters. */
function negated(ranges: Ranges): Ranges {
  const found: number[] = [];
  let begin = 0;
  for (const [first, last] of pairs(ranges) as [number, number][]) {
    if (begin < first) found.push(begin, first - 1);
    begin = last + 1;
  }
  if (begin <= LAST) found.push(begin, LAST);
  return found;
}

function isIn(ranges: Ranges, code: number): boolean {
  for (let place = 0; place < ranges.length && code >= ranges[place]!; place += 2) if (code <= ranges[place + 1]!) return true;
  return false;
}
