/** The envelope of a snapshot on its way to a back end: packed, then encrypted for one SDK key, bound to its version. */

const HEAD_BYTES = 50;
const TAG_BYTES = 16;
const MAGIC = 0x4b424631; // KBF1
const INFO = "kbwork flags snapshot 1";

export interface OpenedEnvelope {
  readonly version: number;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Open an envelope with the SDK key that it was sealed for. Throws an Error whose text says why it cannot. */
export async function opened(envelope: Uint8Array<ArrayBuffer>, sdkKey: string): Promise<OpenedEnvelope> {
  const view = new DataView(envelope.buffer, envelope.byteOffset, envelope.byteLength);
  if (envelope.length < HEAD_BYTES + TAG_BYTES || view.getUint32(0) !== MAGIC) throw new Error("it is no snapshot");
  if (envelope[4] !== 1) throw new Error(`it is of a scheme that this library does not know: ${envelope[4]}`);
  const { subtle } = crypto;
  const secret = new TextEncoder().encode(sdkKey);
  const ident = new Uint8Array(await subtle.digest("SHA-256", secret));
  if (envelope.subarray(6, 14).some((byte, place) => byte !== ident[place])) {
    throw new Error("it was sealed for another SDK key");
  }
  const derived = { name: "HKDF", hash: "SHA-256", salt: envelope.subarray(22, 38), info: new TextEncoder().encode(INFO) };
  const raw = await subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const key = await subtle.deriveKey(derived, raw, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
  const size = envelope[5]! & 2 ? HEAD_BYTES + 8 : HEAD_BYTES; // of a delta, with the version that it leads on from
  const way = { name: "AES-GCM", iv: envelope.subarray(38, HEAD_BYTES), additionalData: envelope.subarray(0, size) };
  const content = await subtle.decrypt(way, key, envelope.subarray(size)).catch(() => {
    throw new Error("it was changed on its way");
  });
  const version = Number(view.getBigUint64(14));
  return { version, content: envelope[5]! & 1 ? await (await import("./unpacking.ts")).unpacked(content) : new Uint8Array(content) };
}
