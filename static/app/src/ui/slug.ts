/** Titles as they stand in addresses of pages: the server makes them in the same way. */

const MOST = 80;

export function slugOf(title: string): string {
  const plain = title.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replace(/\p{M}+/gu, "").normalize("NFC");
  const words = trimmed(plain.replace(/[^\p{L}\p{N}]+/gu, "-"));
  return trimmed([...words].slice(0, MOST).join("")) || "page";
}

function trimmed(words: string): string {
  return words.replace(/^-+|-+$/g, "");
}
