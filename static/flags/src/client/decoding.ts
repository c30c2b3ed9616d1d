/** Bytes as the text they are. */

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Throws TypeError for what is no text. */
export function decoded(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
