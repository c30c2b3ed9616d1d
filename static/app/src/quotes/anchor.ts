/** Words of a text that something was said about: how they are written down, and found again when the text changed. */

export interface Anchor {
  readonly exact: string;
  /** What stands before them and behind, by which they are told from the same words elsewhere. */
  readonly prefix: string;
  readonly suffix: string;
}

/** From the first sign of some words to behind the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A piece of a text as it is read. */
export interface Piece {
  readonly text: string;
  /** It begins a line, or stands in another block than the one before. */
  readonly apart: boolean;
}

/** A place in a piece. */
export interface Spot {
  readonly piece: number;
  readonly offset: number;
}

/** So many signs of what is selected are written down: an anchor has its room. */
const MOST_WORDS = 600;
const AROUND = 32;
/** Of what stands around words that occur several times so much has to be there still. */
const LEAST_ALIKE = 4;
/** Of words that occur everywhere so many places are looked at. */
const MOST_TRIED = 500;
const BLANK = /\s/;

/** A text with each run of blanks as one: neither lines nor marks such as bold matter to where words stand. */
export class Flat {
  readonly text: string;
  readonly #pieces: readonly Piece[];
  /** Where each piece begins. */
  readonly #starts: number[] = [];

  constructor(pieces: Iterable<Piece>) {
    const parts: string[] = [];
    const kept: Piece[] = [];
    let length = 0;
    let isBlank = true;
    const add = (part: string): void => {
      if (!part) return;
      parts.push(part);
      length += part.length;
      isBlank = part.endsWith(" ");
    };
    for (const piece of pieces) {
      if (piece.apart && !isBlank) add(" ");
      const part = onOneLine(piece.text);
      kept.push(piece);
      this.#starts.push(length);
      add(isBlank && part.startsWith(" ") ? part.slice(1) : part);
    }
    this.#pieces = kept;
    this.text = parts.join("");
  }

  /** Where a sign that is no blank stands. */
  spotOf(at: number): Spot {
    const piece = this.#lastFrom(at);
    for (const [offset, place] of this.#places(piece)) if (place === at) return { piece, offset };
    return { piece, offset: this.#pieces[piece]!.text.length };
  }

  /** How much of the text stands before a place. */
  before({ piece, offset }: Spot): number {
    let last = this.#starts[piece] ?? 0;
    for (const [at, place] of this.#places(piece)) {
      if (at >= offset) return place;
      last = place + 1;
    }
    return last;
  }

  /** The last piece that begins there or before. */
  #lastFrom(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The signs of a piece that stand in the text, each with its place there. */
  *#places(piece: number): Generator<[number, number]> {
    let place = this.#starts[piece] ?? 0;
    let isBlank = place === 0 || this.text[place - 1] === " ";
    const text = this.#pieces[piece]?.text ?? "";
    for (let offset = 0; offset < text.length; offset++) {
      const isNext = BLANK.test(text[offset]!);
      if (isNext && isBlank) continue;
      yield [offset, place++];
      isBlank = isNext;
    }
  }
}

/** What is selected, without blanks at its ends; undefined: nothing else is. */
export function anchorOf(text: string, { from, to }: Span): Anchor | undefined {
  let [begin, end] = [from, to];
  while (begin < end && text[begin] === " ") begin++;
  end = Math.min(end, begin + MOST_WORDS);
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end--; // half a sign
  while (end > begin && text[end - 1] === " ") end--;
  if (begin >= end) return undefined;
  return { exact: text.slice(begin, end), prefix: text.slice(Math.max(0, begin - AROUND), begin), suffix: text.slice(end, end + AROUND) };
}

/** As the server keeps it; undefined: it is no anchor. */
export function parsed(written: string | null): Anchor | undefined {
  try {
    const { exact, prefix, suffix } = JSON.parse(written ?? "") as Partial<Record<keyof Anchor, unknown>>;
    const line = (part: unknown): string => (typeof part === "string" ? onOneLine(part) : "");
    const found = { exact: line(exact).trim(), prefix: line(prefix), suffix: line(suffix) };
    return found.exact ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Where the words stand now; undefined: they are gone, or nobody can tell which of several were meant. */
export function spanOf(text: Pick<string, "indexOf" | "slice">, { exact, prefix, suffix }: Anchor): Span | undefined {
  const span = (from: number): Span => ({ from, to: from + exact.length });
  const whole = text.indexOf(prefix + exact + suffix, 0);
  if (whole >= 0) return span(whole + prefix.length);
  let [best, most, count] = [-1, -1, 0];
  for (let at = text.indexOf(exact, 0); at >= 0 && count < MOST_TRIED; at = text.indexOf(exact, at + 1)) {
    const end = at + exact.length;
    const fit = alike([...text.slice(Math.max(0, at - prefix.length), at)].reverse(), [...prefix].reverse()) + alike([...text.slice(end, end + suffix.length)], [...suffix]);
    if (fit > most) [best, most] = [at, fit];
    count++;
  }
  if (count === 0 || (count > 1 && most < Math.min(LEAST_ALIKE, prefix.length + suffix.length))) return undefined;
  return span(best);
}

/** How many signs are the same, from the first on. */
function alike(one: readonly string[], other: readonly string[]): number {
  const at = other.findIndex((sign, place) => sign !== one[place]);
  return at < 0 ? other.length : at;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
