/**
 * A text and what is written on, block by block. What nobody touched stays letter by letter as it was: only a block that
 * was changed is written anew, and one that would not come back as it was is shown as it stands in the text.
 */
import type { Node, Schema } from "@tiptap/pm/model";
import { type Block, Reader, split } from "./read.ts";
import { isList, same, Writer } from "./write.ts";

interface Entry extends Block {
  readonly node: Node;
  /** What stands behind it now, where its `gap` would not keep it apart from the next one. */
  readonly apart?: string;
  /** A list by other signs, since it would be one with the list before it. */
  readonly turned?: string;
}

/** So many blocks are found again as they were, when somebody takes back what was done. */
const MOST_KNOWN = 500;
/** Keeps two blocks apart that would be one. */
const APART = "\n\n<!-- -->\n\n";

export class Sheet {
  readonly schema: Schema;
  readonly #reader: Reader;
  readonly #writer: Writer;
  #lead = "";
  /** What stands behind the last block. */
  #tail = "";
  #entries: readonly Entry[] = [];
  /** Blocks as they were written once: by their nodes, and by what these hold. */
  readonly #sources = new WeakMap<Node, Block>();
  readonly #known = new Map<string, Block>();
  #text = "";

  constructor(schema: Schema) {
    this.schema = schema;
    this.#reader = new Reader(schema);
    this.#writer = new Writer(this.#reader);
  }

  get text(): string {
    return this.#text;
  }

  /** What to write on for a text, with as much of what is there as says the same. It is to be `taken`. */
  become(text: string): { doc: Node; taken: (doc: Node) => void } {
    const { lead, blocks } = split(text);
    const entries = this.#entries;
    const full = entries.flatMap((entry, at) => (entry.text ? [at] : []));
    let begin = 0;
    while (begin < Math.min(full.length, blocks.length) && shown(entries[full[begin]!]!) === blocks[begin]!.text) begin++;
    let end = 0;
    while (end < Math.min(full.length, blocks.length) - begin && shown(entries[full.at(-1 - end)!]!) === blocks.at(-1 - end)!.text) end++;
    // An empty paragraph, where somebody is about to write, is not in the text: it stays behind what it stands behind.
    const before = begin < full.length ? full[begin]! : entries.length;
    let behind = Math.max(before, end ? full.at(-end)! : entries.length);
    while (behind > before && !entries[behind - 1]!.text) behind--;
    const fresh = blocks.slice(begin, blocks.length - end).map((block) => ({ ...block, node: this.#node(block.text) }));
    let at = 0;
    const kept = (entry: Entry): Entry => ({ node: entry.node, text: shown(entry), gap: entry.text ? blocks[at++]!.gap : "" });
    const next = [...entries.slice(0, before).map(kept), ...fresh];
    at = blocks.length - end;
    next.push(...entries.slice(behind).map(kept));
    if (!next.length) next.push({ text: "", gap: "", node: this.schema.nodes["paragraph"]!.create() });
    const doc = this.schema.nodes["doc"]!.create(null, next.map(({ node }) => node));
    const taken = (now: Node): void => {
      this.#lead = lead;
      this.#tail = blocks.at(-1)?.gap ?? "";
      this.#entries = next.map((entry, place) => ({ ...entry, node: now.child(place) }));
      this.#text = text;
    };
    return { doc, taken };
  }

  /** Somebody wrote: the text as it is now. */
  changed(doc: Node): string {
    const before = this.#entries;
    const shorter = Math.min(before.length, doc.childCount);
    let begin = 0;
    while (begin < shorter && before[begin]!.node === doc.child(begin)) begin++;
    let end = 0;
    while (end < shorter - begin && before.at(-1 - end)!.node === doc.child(doc.childCount - 1 - end)) end++;
    const old = before.slice(begin, before.length - end);
    for (const entry of old) this.#remember(entry);
    const byNode = new Map(old.map((entry) => [entry.node, entry]));
    const nodes = doc.children.slice(begin, doc.childCount - end);
    const fresh = nodes.map((node, at): Entry => {
      const gap = (nodes.length === old.length || at === nodes.length - 1 ? old[nodes.length === old.length ? at : old.length - 1]?.gap : undefined) ?? "";
      const was = nodes.length === old.length ? old[at] : undefined;
      const before = byNode.get(node) ?? this.#sources.get(node) ?? this.#known.get(shape(node)) ?? { gap, text: this.#writer.again(node, was) };
      return { node, text: before.text, gap: before.gap };
    });
    const next = [...before.slice(0, begin), ...fresh, ...before.slice(before.length - end)];
    this.#entries = this.#apart(next, begin, begin + fresh.length);
    const full = this.#entries.filter(({ text }) => text);
    this.#text = full.length ? this.#lead + full.map(({ gap, apart, ...entry }, at) => shown(entry) + (at < full.length - 1 ? (apart ?? gap) : this.#tail)).join("") : "";
    return this.#text;
  }

  /** What stands in a text that is pasted. */
  pasted(text: string): Node[] {
    return split(text).blocks.map((block) => this.#node(block.text));
  }

  /** As it is copied. */
  copied(nodes: readonly Node[]): string {
    return nodes.map((node) => this.#writer.block(node)).filter(Boolean).join("\n\n");
  }

  #node(text: string): Node {
    const node = this.#reader.block(text);
    if (!node) return this.#reader.source(text);
    const again = this.#writer.block(node);
    if (again === text) return node;
    return letters(again) === letters(text) && same(this.#reader.block(again), node) ? node : this.#reader.source(text);
  }

  #remember({ node, text, gap }: Entry): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#sources.set(node, { text, gap });
    const name = shape(node);
    if (!this.#known.has(name)) this.#known.set(name, { text, gap });
  }

  /** Blocks between which there is what keeps them apart, from the one before to the one behind those that are new. */
  #apart(entries: readonly Entry[], from: number, to: number): Entry[] {
    const next = [...entries];
    const full = next.flatMap(({ text }, at) => (text ? [at] : []));
    for (const [place, at] of full.entries()) {
      const behind = full[place + 1];
      if (behind === undefined || behind < from || at >= to) continue;
      const { apart: _, ...one } = next[at]!;
      const { turned: __, ...other } = next[behind]!;
      [next[at], next[behind]] = [one, other];
      if (fits(shown(one), one.gap, other.text)) continue;
      const turned = isList(other.node) && !fits(shown(one), "\n\n", other.text) ? this.#writer.block(other.node, true) : undefined;
      next[at] = { ...one, apart: fits(shown(one), "\n\n", turned ?? other.text) ? "\n\n" : APART };
      if (turned !== undefined) next[behind] = { ...other, turned };
    }
    return next;
  }
}

function shown({ text, turned }: Pick<Entry, "text" | "turned">): string {
  return turned ?? text;
}

/** Whether two blocks with that between them are read as the two. */
function fits(one: string, gap: string, other: string): boolean {
  const both = [split(one), split(other)];
  if (both.some(({ isOne }) => isOne)) return gap.includes("\n\n");
  const texts = (blocks: readonly Block[]): string => blocks.map((block) => block.text).join("\0");
  return gap.includes("\n") && texts(split(one + gap + other).blocks) === texts(both.flatMap(({ blocks }) => blocks));
}

/** Letters and digits alone: none of them may get lost. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function shape(node: Node): string {
  return JSON.stringify(node.toJSON());
}
