/** The words and signs of a query, as far as the app reads them itself. */

export interface Token {
  readonly kind: "word" | "text" | "who" | "sign";
  /** A text without its quotes, a person without the `@`. */
  readonly value: string;
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|@([\p{L}\p{N}._-]+)|([\p{L}\p{N}_][\p{L}\p{N}_-]*)|(!=|[=:(),]))/uy;

/** Undefined where there is more in it than that. */
export function tokensOf(text: string): Token[] | undefined {
  const found: Token[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [whole, double, single, who, word, sign] = TOKEN.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const said = double ?? single;
    if (said !== undefined) found.push({ kind: "text", value: said.replace(/\\(.)/g, "$1") });
    else if (who !== undefined) found.push({ kind: "who", value: who });
    else if (word !== undefined) found.push({ kind: "word", value: word });
    else found.push({ kind: "sign", value: sign! });
  }
  return found;
}
