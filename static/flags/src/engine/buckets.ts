/** Which slice of a percentage rollout a context falls into: exact, without floating point. */

/** 60 bits, as its upper 32 and its lower 28. */
export interface Bucket {
  readonly _high: number;
  readonly _low: number;
}

/** Where the context lacks what it is hashed by. */
export const ZERO: Bucket = { _high: 0, _low: 0 };

const TOTAL = 100_000n;
const MOST = 0xfff_ffff_ffff_ffffn;

/** An attribute as it is hashed; undefined is bucket 0. */
export function hashedText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value + 0) : undefined;
}

export function isBelow(one: Bucket, end: Bucket): boolean {
  return one._high === end._high ? one._low < end._low : one._high < end._high;
}

/** The bucket at which shares of these weights end: below it a context is in one of them. */
export function ends(weights: readonly number[]): Bucket[] {
  let [above, below] = [0n, 1n];
  return weights.map((weight) => {
    const [up, down] = fraction(weight);
    [above, below] = [above * down + up * below, below * down];
    const [part, whole] = [above * MOST, below * TOTAL];
    const least = part <= 0n ? 0n : (part + whole - 1n) / whole;
    return least > MOST ? { _high: Infinity, _low: 0 } : { _high: Number(least >> 28n), _low: Number(least & 0xfff_ffffn) };
  });
}

/** A double as a fraction, exact. */
function fraction(weight: number): [bigint, bigint] {
  let below = 1n;
  while (!Number.isInteger(weight)) {
    weight *= 2;
    below *= 2n;
  }
  return [BigInt(weight), below];
}

/**
 * The hash that decides, of key and salt, each with a dot behind it, and the value: the first 60 bits of its SHA-1, which
 * spreads contexts here and keeps nothing safe. Both come by themselves: to join them takes a tenth of the time.
 */
export function hashed(prefix: string, text: string): Bucket {
  const end = put(prefix, text);
  // Named here they are looked up once, and not in each round: a fifth faster.
  const [from, all] = [message, words];
  let [was, wasB, wasC, wasD, wasE] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let block = 0; block < end; block += 16) {
    let [a, b, c, d, e] = [was, wasB, wasC, wasD, wasE];
    for (let round = 0; round < 80; round++) {
      let word: number;
      if (round < 16) word = from[block + round]!;
      else {
        word = all[round - 3]! ^ all[round - 8]! ^ all[round - 14]! ^ all[round - 16]!;
        word = (word << 1) | (word >>> 31);
      }
      all[round] = word;
      // Each sum is cut to 32 bits at once: engines keep it a whole number then, which is twice as fast.
      const chosen =
        round < 20 ? ((d ^ (b & (c ^ d))) + 0x5a827999) | 0
        : round < 40 ? ((b ^ c ^ d) + 0x6ed9eba1) | 0
        : round < 60 ? (((b & c) | (d & (b | c))) - 0x70e44324) | 0
        : ((b ^ c ^ d) - 0x359d3e2a) | 0;
      const next = (((((a << 5) | (a >>> 27)) + chosen) | 0) + ((e + word) | 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    was = (was + a) | 0;
    wasB = (wasB + b) | 0;
    wasC = (wasC + c) | 0;
    wasD = (wasD + d) | 0;
    wasE = (wasE + e) | 0;
  }
  return { _high: was >>> 0, _low: wasB >>> 4 };
}

const words = new Int32Array(80);
const encoder = new TextEncoder();
/** Grows with the longest text. */
let message = new Int32Array(64);

/** Put down the text with what ends it; answers how many words that are. */
function put(prefix: string, text: string, bytes?: Uint8Array): number {
  const before = prefix.length;
  const length = bytes ? bytes.length : before + text.length;
  const end = ((length + 8) >> 6) * 16 + 16;
  if (end > message.length) message = new Int32Array(end * 2);
  const to = message;
  for (let place = 0; place < end; place++) to[place] = 0;
  for (let place = 0; place < length; place++) {
    const code = bytes ? bytes[place]! : place < before ? prefix.charCodeAt(place) : text.charCodeAt(place - before);
    if (code > 127 && !bytes) return put("", "", encoder.encode(prefix + text));
    to[place >> 2]! |= code << (~place << 3); // the lowest five bits count: 24, 16, 8, 0
  }
  to[length >> 2]! |= 0x80 << (~length << 3);
  to[end - 1] = length * 8; // no text is so long that the word before it were needed
  return end;
}
