/** From Markdown to what is written on: blocks of a text one by one, none of them read by what stands elsewhere in it. */
import type { Mark, Node, Schema } from "@tiptap/pm/model";
import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from "marked";

/** `[[Title]]` stays a text; without this, what stands within is read as Markdown. */
const LINK: TokenizerAndRendererExtension = {
  name: "link-of-pages",
  level: "inline",
  start: (text) => text.indexOf("[["),
  tokenizer(text) {
    const [raw] = /^\[\[[^[\]\n]{1,600}\]\]/.exec(text) ?? [];
    return raw === undefined ? undefined : { type: "link-of-pages", raw };
  },
};

const marked = new Marked({ gfm: true, extensions: [LINK] });

/** What stands in front of a text for programs. */
const HEAD = /^---[ \t]*\n(?:[ \t]*[\w"'-]+[ \t]*:.*\n|[ \t#-].*\n|\n)*?(?:---|\.\.\.)[ \t]*(?=\n|$)/;
const HAS_FIELD = /^[ \t]*[\w"'-]+[ \t]*:/m;
const ENTITY = /(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/i;
/** A paragraph that is a note at the foot of a text, as others write them. */
const NOTE = /^ {0,3}\[\^[^\]\n]+\]:/;

export interface Block {
  readonly text: string;
  /** What stands between it and the next one: the ends of lines, and lines with nothing on them. */
  readonly gap: string;
}

interface Blocks {
  readonly lead: string;
  readonly blocks: Block[];
  /** It is one, whatever stands in it, since nobody can tell. */
  readonly isOne?: boolean;
}

/** A text in its blocks. Put behind each other, with what stands before the first, they are the text again. */
export function split(text: string): Blocks {
  const head = HEAD.exec(text)?.[0];
  const first = head !== undefined && HAS_FIELD.test(head) ? head : "";
  const raws = first ? [first] : [];
  for (const { raw } of blocksOf(text.slice(first.length)) ?? []) raws.push(raw);
  if (raws.join("") !== text) return { lead: "", blocks: [{ text, gap: "" }], isOne: true };
  let lead = "";
  const blocks: Block[] = [];
  for (const raw of raws) {
    const said = raw.replace(/(?:\n[ \t]*)+$/, "");
    const gap = raw.slice(said.length);
    const last = blocks.at(-1);
    if (said.trim() && (!last || last.gap.includes("\n"))) blocks.push({ text: said, gap });
    else if (last && said.trim()) blocks.splice(-1, 1, { text: last.text + last.gap + said, gap }); // of one line
    else if (last) blocks.splice(-1, 1, { text: last.text, gap: last.gap + raw });
    else lead += raw;
  }
  return { lead, blocks };
}

/** Undefined: the parser itself stumbles, as it does over some texts that nobody writes. */
function blocksOf(text: string, isWhole = false): Token[] | undefined {
  const lexer = new marked.Lexer(marked.defaults);
  try {
    return isWhole ? lexer.lex(text) : lexer.blockTokens(text, []);
  } catch {
    return undefined;
  }
}

export class Reader {
  readonly #schema: Schema;
  /** What was read last: whoever opens a text writes each block and reads it once more. */
  #last: { text: string; node: Node | undefined } | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** What a block says; undefined: more than one, or something that is not known here. */
  block(text: string): Node | undefined {
    if (this.#last?.text !== text) this.#last = { text, node: this.#read(text) };
    return this.#last.node;
  }

  #read(text: string): Node | undefined {
    if (HAS_FIELD.test(HEAD.exec(text)?.[0] ?? "") || NOTE.test(text)) return undefined;
    const tokens = blocksOf(text, true)?.filter(({ type }) => type !== "space");
    return tokens?.length === 1 ? this.#block(tokens[0]!) : undefined;
  }

  source(text: string): Node {
    return this.#schema.nodes["source"]!.create(null, text ? this.#schema.text(text) : null);
  }

  /** What stands in one line, as in a cell of a table. */
  line(text: string, inCell = false): readonly Node[] | undefined {
    return this.#inline(marked.Lexer.lexInline(text, marked.defaults), [], inCell);
  }

  #make(kind: string, attrs: Record<string, unknown> | null, content: readonly Node[] | undefined): Node | undefined {
    if (!content) return undefined;
    const type = this.#schema.nodes[kind]!;
    return type.validContent(this.#fragment(content)) ? type.create(attrs, content) : undefined;
  }

  #fragment(content: readonly Node[]) {
    return this.#schema.nodes["doc"]!.create(null, content).content;
  }

  #block(token: Token): Node | undefined {
    switch (token.type) {
      case "paragraph":
      case "text":
        return this.#make("paragraph", null, this.#inline(token.tokens ?? [token], []));
      case "heading":
        return this.#make("heading", { level: (token as Tokens.Heading).depth }, this.#inline(token.tokens ?? [], []));
      case "code": {
        const { text, lang } = token as Tokens.Code;
        return this.#make("codeBlock", { language: lang || null }, text ? [this.#schema.text(text)] : []);
      }
      case "hr":
        return this.#make("horizontalRule", null, []);
      case "blockquote":
        return this.#make("blockquote", null, this.#blocks(token.tokens ?? []));
      case "list":
        return this.#list(token as Tokens.List);
      case "table":
        return this.#table(token as Tokens.Table);
      case "html":
      case "def":
        return this.source(token.raw.replace(/\n+$/, ""));
      default:
        return undefined;
    }
  }

  #blocks(tokens: readonly Token[]): Node[] | undefined {
    const found = all(tokens.filter(({ type }) => type !== "space" && type !== "checkbox"), (one) => this.#block(one));
    return found?.length === 0 ? [this.#schema.nodes["paragraph"]!.create()] : found;
  }

  #list({ ordered, start, loose, items, raw }: Tokens.List): Node | undefined {
    const sign = (ordered ? /^\s*\d+([.)])/ : /^\s*([-*+])/).exec(raw)?.[1];
    const content = all(items, ({ task, checked, tokens }) =>
      this.#make("listItem", { checked: task ? checked === true : null }, this.#blocks(tokens)),
    );
    if (!ordered) return this.#make("bulletList", { sign, tight: !loose }, content);
    const second = /^\s*(\d+)/.exec(items[1]?.raw ?? "")?.[1];
    const step = second === undefined || Number(second) > Number(start) ? 1 : 0;
    return this.#make("orderedList", { start: Number(start), sign, step, tight: !loose }, content);
  }

  #table({ header, rows, align }: Tokens.Table): Node | undefined {
    const row = (kind: "cell" | "head", cells: readonly Tokens.TableCell[]): Node | undefined =>
      this.#make("row", null, all(cells, ({ tokens }, at) => {
        const said = this.#make("paragraph", null, this.#inline(tokens, [], true));
        return said && this.#make(kind, { align: align[at] ?? null }, [said]);
      }));
    const first = row("head", header);
    const others = all(rows, (cells) => row("cell", cells));
    return first && others && this.#make("table", null, [first, ...others]);
  }

  #inline(tokens: readonly Token[], marks: readonly Mark[], inCell = false): Node[] | undefined {
    const found: Node[] = [];
    for (const token of tokens) {
      const more = this.#piece(token, marks, inCell);
      if (!more) return undefined;
      found.push(...more);
    }
    return found;
  }

  #piece(token: Token, marks: readonly Mark[], inCell: boolean): readonly Node[] | undefined {
    const { nodes, marks: kinds } = this.#schema;
    const within = (kind: string, attrs?: Record<string, unknown>) => kinds[kind]!.create(attrs).addToSet(marks);
    const text = (said: string, kind?: string): Node[] => (said ? [this.#schema.text(said, kind ? within(kind) : marks)] : []);
    switch (token.type) {
      case "text":
        if (token.tokens) return this.#inline(token.tokens, marks, inCell);
        return token.raw.split(ENTITY).flatMap((part, at) => text(part, at % 2 ? "raw" : undefined));
      case "link-of-pages":
        return text(token.raw);
      case "checkbox":
        return [];
      case "escape":
        return text((token as Tokens.Escape).text, "escaped");
      case "html":
        if (inCell && /^<br\s*\/?>$/i.test(token.raw)) return [nodes["hardBreak"]!.create(null, null, marks)];
        return text(token.raw, "raw");
      case "br":
        return [nodes["hardBreak"]!.create(null, null, marks)];
      case "codespan":
        return text((token as Tokens.Codespan).text, "code");
      case "strong":
        return this.#inline(token.tokens ?? [], within("bold"), inCell);
      case "em":
        return this.#inline(token.tokens ?? [], within("italic"), inCell);
      case "del":
        return this.#inline(token.tokens ?? [], within("strike"), inCell);
      case "link": {
        const { raw, href, title } = token as Tokens.Link;
        if (!raw.startsWith("[")) return raw.startsWith("<") ? text(raw, "raw") : text(raw);
        return this.#inline(token.tokens ?? [], within("link", { href, title: title || null }), inCell);
      }
      case "image": {
        const { href, text: alt, title } = token as Tokens.Image;
        return [nodes["picture"]!.create({ src: href, alt, title: title || null }, null, marks)];
      }
      default:
        return undefined;
    }
  }
}

/** Of each; undefined where it is of one. */
function all<T, R>(list: readonly T[], of: (one: T, at: number) => R | undefined): R[] | undefined {
  const found: R[] = [];
  for (const [at, one] of list.entries()) {
    const made = of(one, at);
    if (made === undefined) return undefined;
    found.push(made);
  }
  return found;
}
