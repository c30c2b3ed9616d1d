/** Which slice of a percentage rollout a context falls into: exact, without floating point. */

/** 60 bits, as its upper 32 and its lower 28. */
export interface Bucket {
  readonly high: number;
  readonly low: number;
}

/** Where the context lacks what it is hashed by. */
export const ZERO: Bucket = { high: 0, low: 0 };

const TOTAL = 100_000n;
const MOST = 0xfff_ffff_ffff_ffffn;

/** An attribute as it is hashed; undefined is bucket 0. */
export function hashedText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value + 0) : undefined;
}

export function isBelow(one: Bucket, end: Bucket): boolean {
  return one.high < end.high || (one.high === end.high && one.low < end.low);
}

/** The bucket at which shares of these weights end: below it a context is in one of them. */
export function ends(weights: readonly number[]): Bucket[] {
  let [above, below] = [0n, 1n];
  return weights.map((weight) => {
    const [up, down] = fraction(weight);
    [above, below] = [above * down + up * below, below * down];
    const [part, whole] = [above * MOST, below * TOTAL];
    const least = part <= 0n ? 0n : (part + whole - 1n) / whole;
    return least > MOST ? { high: Infinity, low: 0 } : { high: Number(least >> 28n), low: Number(least & 0xfff_ffffn) };
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
 * The hash that decides, of key, salt and value with dots between: the first 60 bits of its SHA-1, which spreads
 * contexts here and keeps nothing safe.
 */
export function hashed(text: string): Bucket {
  const length = encoded(text);
  const end = (length + 8) & ~63;
  bytes[length] = 0x80;
  bytes.fill(0, length + 1, end + 64);
  view.setUint32(end + 60, length * 8);
  view.setUint32(end + 56, length / 0x2000_0000);
  let [a, b, c, d, e] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let block = 0; block <= end; block += 64) {
    const [was, wasB, wasC, wasD, wasE] = [a, b, c, d, e];
    for (let round = 0; round < 80; round++) {
      if (round < 16) words[round] = view.getInt32(block + round * 4);
      else {
        const mixed = words[round - 3]! ^ words[round - 8]! ^ words[round - 14]! ^ words[round - 16]!;
        words[round] = (mixed << 1) | (mixed >>> 31);
      }
      const chosen =
        round < 20 ? ((b & c) | (~b & d)) + 0x5a827999
        : round < 40 ? (b ^ c ^ d) + 0x6ed9eba1
        : round < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
        : (b ^ c ^ d) + 0xca62c1d6;
      const next = (((a << 5) | (a >>> 27)) + chosen + e + words[round]!) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    a = (a + was) | 0;
    b = (b + wasB) | 0;
    c = (c + wasC) | 0;
    d = (d + wasD) | 0;
    e = (e + wasE) | 0;
  }
  return { high: a >>> 0, low: b >>> 4 };
}

const words = new Int32Array(80);
const encoder = new TextEncoder();
/** Grows with the longest text. */
let bytes = new Uint8Array(512);
let view = new DataView(bytes.buffer);

/** The number of bytes, which stand at the beginning of `bytes` then, with room for what is put behind them. */
function encoded(text: string): number {
  if (text.length * 3 + 128 > bytes.length) {
    bytes = new Uint8Array(text.length * 6 + 256);
    view = new DataView(bytes.buffer);
  }
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code > 127) return encoder.encodeInto(text, bytes).written;
    bytes[place] = code;
  }
  return text.length;
}
