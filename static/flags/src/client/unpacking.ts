/** What was packed by zlib: where the program has that, by it, which takes a quarter of the time of streams. */

/** A snapshot unpacked; larger ones are refused. */
const MOST_BYTES = 2 ** 29;
/** So much is taken from the system at a time. */
const PIECE_BYTES = 2 ** 20;

type Bytes = Uint8Array<ArrayBuffer>;
type Done = (error: Error | null, found: Bytes) => void;

interface Zlib {
  inflate(packed: ArrayBuffer, options: { maxOutputLength: number; chunkSize: number }, done: Done): void;
}

/** Browsers and some workers have none. */
const zlib: Promise<Zlib | undefined> = import("node:zlib" as string).catch(() => undefined);

/** Throws an Error whose text says why it cannot. */
export async function unpacked(packed: ArrayBuffer): Promise<Bytes> {
  const found = await zlib;
  try {
    return await (found?.inflate ? quickly(found, packed) : streamed(packed));
  } catch (error) {
    throw new Error(`it cannot be unpacked: ${(error as Error).message}`);
  }
}

function quickly(zlib: Zlib, packed: ArrayBuffer): Promise<Bytes> {
  const options = { maxOutputLength: MOST_BYTES, chunkSize: Math.min(PIECE_BYTES, 64 + 64 * packed.byteLength) };
  return new Promise((done, failed) => zlib.inflate(packed, options, (error, found) => (error ? failed(error) : done(found))));
}

async function streamed(packed: ArrayBuffer): Promise<Bytes> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts: Bytes[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) throw new Error("it is too large");
    parts.push(value as Bytes);
  }
}
