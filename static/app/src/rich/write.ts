/** From what is written on to Markdown, with as few backslashes as keep its meaning. */
import { Fragment, Mark, type Node } from "@tiptap/pm/model";
import type { Reader } from "./read.ts";
import { ruled } from "./ruled.ts";

/** How much is done so that a text is read as it was meant. */
const NOTHING = 0;
/** No mark begins or ends beside a space. */
const SPACED = 1;
/** Signs at the beginning of lines are behind backslashes. */
const BEGUN = 2;
/** All signs are. */
const ESCAPED = 3;
/** Tags stand in place of stars. */
const TAGGED = 4;

interface Manner {
  readonly level: number;
  /** What italics stand in: where they stand right beside what is bold, stars would run into each other. */
  readonly italic: "*" | "_";
}

const MANNERS: readonly Manner[] = [NOTHING, SPACED, BEGUN, ESCAPED].flatMap((level) => [{ level, italic: "*" }, { level, italic: "_" }] as const);
const LAST: Manner = { level: TAGGED, italic: "*" };

interface Run {
  /** A text, or something that stands in one. */
  readonly node: Node;
  readonly text: string;
  readonly marks: readonly Mark[];
}

const SIGNS: Readonly<Record<string, string>> = { bold: "**", italic: "*", strike: "~~" };
const TAGS: Readonly<Record<string, string>> = { bold: "strong", italic: "em", strike: "del" };
const OTHER: Readonly<Record<string, string>> = { "-": "*", "*": "-", "+": "-", ".": ")", ")": "." };

export class Writer {
  readonly #reader: Reader;
  /** Of paragraphs and the like, which stay the same while another is written on. */
  readonly #known = new WeakMap<Node, string>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** `other`: by other signs than it would, so that two lists do not become one. */
  block(node: Node, other = false): string {
    switch (node.type.name) {
      case "paragraph":
        return this.#remembered(node, () => this.#paragraph(node));
      case "heading":
        return this.#remembered(node, () => this.#heading(node));
      case "codeBlock":
        return fenced(node.textContent, (node.attrs["language"] as string | null) ?? "");
      case "source":
        return node.textContent;
      case "horizontalRule":
        return "---";
      case "blockquote":
        return this.#blocks(node, false).replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">");
      case "table":
        return this.#table(node);
      default:
        return this.#list(node, other);
    }
  }

  /** A table in the look of what it was, where that says the same. */
  again(node: Node, before: { readonly node: Node; readonly text: string } | undefined): string {
    const found = node.type.name === "table" && before ? ruled(node, before, (cell) => this.#cell(cell)) : undefined;
    return found !== undefined && same(this.#reader.block(found), node) ? found : this.block(node);
  }

  #remembered(node: Node, make: () => string): string {
    const known = this.#known.get(node) ?? make();
    this.#known.set(node, known);
    return known;
  }

  #blocks(node: Node, tight: boolean): string {
    let out = "";
    let before: Node | undefined;
    let other = false;
    for (const child of node.children) {
      if (child.type.name === "paragraph" && !child.content.size) continue; // Markdown has none
      other = before !== undefined && isList(child) && before.type === child.type && !other;
      if (before) out += tight && child.type.name !== "paragraph" && child.type.name !== "source" ? "\n" : "\n\n";
      out += this.block(child, other);
      before = child;
    }
    return out;
  }

  #list(node: Node, other: boolean): string {
    const { start = 1, step = 1, sign, tight } = node.attrs as { start?: number; step?: number; sign: string; tight: boolean };
    const mark = other ? OTHER[sign]! : sign;
    return node.children
      .map((item, at) => {
        const front = node.type.name === "orderedList" ? `${start + at * step}${mark}` : mark;
        const checked = item.attrs["checked"] as boolean | null;
        const box = checked === null ? "" : checked ? "[x] " : "[ ] ";
        const said = this.#blocks(item, tight);
        const text = box + (checked === null ? said.replace(/^\[(?=[ xX]\](?:\s|$))/, "\\[") : said);
        return `${front} ${text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(front.length + 1)}`)}`.trimEnd();
      })
      .join(tight ? "\n" : "\n\n");
  }

  #table(node: Node): string {
    const [first, ...rows] = node.children.map((row) => row.children.map((cell) => this.#cell(cell)));
    const line = (cells: readonly string[]): string => `|${cells.map((cell) => ` ${cell} `).join("|")}|`;
    const rule = node.firstChild!.children.map(({ attrs: { align } }) => (align === "center" ? ":---:" : align === "right" ? "---:" : align === "left" ? ":---" : "---"));
    const empty = rule.map(() => "");
    return [first!, rule, ...rows.map((cells) => [...cells, ...empty].slice(0, Math.max(rule.length, cells.length)))].map(line).join("\n");
  }

  #cell(cell: Node): string {
    const said = cell.firstChild!;
    return this.#remembered(said, () => {
      const write = (manner: Manner) => inline(runsOf(said, manner.level), manner, true).replace(/\n/g, " ").replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|").trim();
      return this.#least(write, (text) => same(this.#reader.line(text.replaceAll("\\|", "|"), true), said));
    });
  }

  #paragraph(node: Node): string {
    const write = (manner: Manner) => {
      const text = inline(runsOf(node, manner.level), manner).replace(/^[ \t]+|[ \t]+$/g, "").replace(/\n(?:[ \t]*\n)+/g, "\n");
      return manner.level >= BEGUN ? text.replace(/^([ \t]*)(?:([#>+=|~`-])|(\d{1,9})([.)])(?=\s|$))/gm, (_, dent: string, sign?: string, number?: string, dot?: string) => dent + (sign ? `\\${sign}` : `${number}\\${dot}`)) : text;
    };
    return this.#least(write, (text) => same(this.#reader.block(text), node));
  }

  #heading(node: Node): string {
    const front = `${"#".repeat(node.attrs["level"] as number)} `;
    const write = (manner: Manner) => (front + inline(runsOf(node, manner.level), manner).replace(/\\?\n/g, " ").trim()).replace(manner.level >= BEGUN ? /(#+)$/ : /$^/, "\\$1").trim();
    return this.#least(write, (text) => {
      const found = this.#reader.block(text);
      return found?.type === node.type && same(found, node);
    });
  }

  /** By the least effort that is read as it was meant; where none is, everything that was written stands there all the same. */
  #least(write: (manner: Manner) => string, fits: (text: string) => boolean): string {
    for (const manner of MANNERS) {
      const text = write(manner);
      if (fits(text)) return text;
    }
    return write(LAST);
  }
}

export function isList({ type: { name } }: Node): boolean {
  return name === "bulletList" || name === "orderedList";
}

function runsOf(node: Node, level: number): Run[] {
  const runs = node.children.map((child) => ({ node: child, text: child.text ?? "", marks: child.marks }));
  const all = spaced(runs.slice(0, runs.findLastIndex((run) => run.node.type.name !== "hardBreak" && !isSpace(run)) + 1), level);
  return all.slice(Math.max(0, all.findIndex((run) => !isSpace(run))), all.findLastIndex((run) => !isSpace(run)) + 1);
}

const isPlain = ({ text, marks }: Run): boolean => text !== "" && !marks.some(({ type: { name } }) => name === "code" || name === "raw");

const isSpace = (run: Run): boolean => isPlain(run) && !run.text.trim();

/** A space at the edge of what is bold is not: Markdown knows none there. */
function spaced(runs: readonly Run[], level: number): Run[] {
  const pieces = runs.flatMap((run) => (isPlain(run) ? run.text.split(/^(\s+)|(\s+)$/).filter(Boolean).map((text) => ({ ...run, text })) : [run]));
  return pieces.map((run, at) => {
    if (!isSpace(run)) return run;
    const before = pieces.slice(0, at).findLast((one) => !isSpace(one))?.marks ?? [];
    const behind = pieces.slice(at).find((one) => !isSpace(one))?.marks ?? [];
    const isWithin = level === NOTHING || Mark.sameSet(before, behind);
    return { ...run, marks: isWithin ? run.marks.filter((mark) => mark.isInSet(before) && mark.isInSet(behind)) : [] };
  });
}

function inline(runs: readonly Run[], manner: Manner, inCell = false): string {
  let out = "";
  for (let at = 0; at < runs.length; ) {
    const [mark, end] = widest(runs, at);
    if (!mark) {
      out += leaf(runs[at]!, manner.level, inCell);
      at++;
      continue;
    }
    const within = runs.slice(at, end).map((run) => ({ ...run, marks: mark.removeFromSet(run.marks) }));
    out += around(mark, inline(within, manner, inCell), manner);
    at = end;
  }
  return out;
}

/** The mark of a run that goes on for the longest. */
function widest(runs: readonly Run[], from: number): [mark: Mark | undefined, end: number] {
  let found: Mark | undefined;
  let end = from;
  for (const mark of runs[from]!.marks) {
    if (!SIGNS[mark.type.name] && mark.type.name !== "link") continue;
    let to = from;
    while (to < runs.length && mark.isInSet(runs[to]!.marks)) to++;
    if (to > end) [found, end] = [mark, to];
  }
  return [found, end];
}

function around({ type: { name }, attrs }: Mark, text: string, { level, italic }: Manner): string {
  if (name === "link") return `[${text}](${address(attrs["href"] as string, attrs["title"] as string | null)})`;
  if (level === TAGGED) return `<${TAGS[name]}>${text}</${TAGS[name]}>`;
  const sign = name === "italic" ? italic : SIGNS[name]!;
  return sign + text + sign;
}

function address(href: string, title: string | null): string {
  const at = /^[^\s<>()\\]+$/.test(href) ? href : `<${href.replace(/[<>\\]/g, "\\$&").replace(/\s/g, " ")}>`;
  return title ? `${at} "${title.replace(/["\\]/g, "\\$&")}"` : at;
}

function leaf({ node, text, marks }: Run, level: number, inCell: boolean): string {
  if (node.type.name === "hardBreak") return inCell ? "<br>" : "\\\n";
  if (node.type.name === "picture") {
    const { src, alt, title } = node.attrs as { src: string; alt: string; title: string | null };
    return `![${alt.replace(/[[\]\\]/g, "\\$&").replace(/\n/g, " ")}](${address(src, title)})`;
  }
  const has = (name: string): boolean => marks.some(({ type }) => type.name === name);
  if (has("raw")) return text;
  if (has("code")) return spanned(text);
  if (has("escaped")) return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
  return level < ESCAPED ? text : text.replace(/[\\`*_[\]<~&]/g, "\\$&");
}

function spanned(text: string): string {
  const most = Math.max(0, ...(text.match(/`+/g) ?? []).map((one) => one.length));
  const ticks = "`".repeat([...Array(most + 1).keys()].map((count) => count + 1).find((count) => !new RegExp(`(?<!\`)\`{${count}}(?!\`)`).test(text)) ?? most + 1);
  const edge = /^`|`$|^ .*\S.* $/s.test(text) ? " " : "";
  return ticks + edge + text + edge + ticks;
}

function fenced(text: string, language: string): string {
  const most = Math.max(2, ...(text.match(/^ {0,3}`{3,}/gm) ?? []).map((one) => one.trim().length));
  const fence = language.includes("`") ? "~~~" : "`".repeat(most + 1);
  return `${fence}${language}\n${text}${text ? "\n" : ""}${fence}`;
}

/** Whether two say the same, by whatever signs. */
export function same(found: Node | readonly Node[] | undefined, wanted: Node): boolean {
  if (!found) return false;
  if (Array.isArray(found)) return same(wanted.type.create(wanted.attrs, Fragment.from(found as Node[])), wanted);
  return told(found as Node) === told(wanted);
}

/** All that a node says. */
function told(node: Node): string {
  const { type: { name }, attrs } = node;
  if (node.isText) return node.text!;
  if (node.isTextblock) return `${name}${JSON.stringify(attrs)}(${name === "codeBlock" || name === "source" ? node.textContent : said(node)})`;
  const children = node.children.filter((one) => node.childCount === 1 || one.type.name !== "paragraph" || one.content.size);
  const { tight: _, sign: __, ...matters } = attrs;
  const kind = name === "head" ? "cell" : name;
  return `${kind}${JSON.stringify(kind === "cell" ? null : matters)}[${children.map(told).join()}]`;
}

function said(node: Node): string {
  let out = "";
  let before = "";
  for (const { node: child, text, marks } of runsOf(node, SPACED)) {
    const names = marks.filter(({ type: { name } }) => name !== "escaped").map(({ type: { name }, attrs }) => name + JSON.stringify(attrs)).sort().join();
    const piece = text ? text.replace(/[ \t]*\n\s*/g, "\n") : JSON.stringify([child.type.name, child.attrs]);
    out += names === before ? piece : `\0${names}\0${piece}`;
    before = names;
  }
  return out.trim();
}
