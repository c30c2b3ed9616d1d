/**
 * A table that is written on in the look that it had: what nobody touched of it stays as it stood, and columns that were
 * as wide as each other in every line are so again.
 */
import type { Node } from "@tiptap/pm/model";

/** What stands between two pipes, with its spaces. */
type Pieces = readonly string[];

interface Line {
  readonly begin: string;
  readonly pieces: Pieces;
  readonly end: string;
}

type Align = "left" | "right" | "center" | null;

/** One behind a backslash is a sign of its cell. */
const PIPE = /(?<=(?<!\\)(?:\\\\)*)\|/;

/** Undefined: what was there had no such look. `said` is what stands in a cell. */
export function ruled(node: Node, before: { readonly node: Node; readonly text: string }, said: (cell: Node) => string): string | undefined {
  const lines = before.text.split("\n").map(lineOf);
  const count = node.firstChild!.childCount;
  if (before.node.type !== node.type || lines.length !== before.node.childCount + 1 || node.children.some((row) => row.childCount > count)) return undefined;
  const aligns = node.firstChild!.children.map(({ attrs }) => attrs["align"] as Align);
  const old = before.node.children;
  const isSameShape = old.length === node.childCount;
  const rows = node.children.map((row, place) => {
    const at = isSameShape ? place : old.findIndex((one) => one === row);
    const line = at < 0 ? undefined : lines[at && at + 1];
    const cells = row.children.map((cell, column) => {
      const piece = old[at]?.maybeChild(column)?.eq(cell) ? line?.pieces[column] : undefined;
      return { piece, text: piece?.trim() ?? said(cell), was: line?.pieces[column] };
    });
    return { line, cells: [...cells, ...Array.from({ length: count - cells.length }, () => ({ piece: undefined, text: "", was: undefined }))] };
  });
  const widths = widthsOf(lines);
  const columns = widths && aligns.map((_, column) => Math.max(widths.length === count ? widths[column]! : 5, ...rows.map(({ cells }) => size(cells[column]!.text) + 2)));
  const written = rows.map(({ line = lines[0]!, cells }) => {
    const pieces = cells.map(({ piece, text, was }, column) => {
      if (!columns) return piece ?? spaced(text, was);
      return piece !== undefined && size(piece) === columns[column] ? piece : filled(text, columns[column]!, was, aligns[column]!);
    });
    return joined({ ...line, pieces });
  });
  const rule = aligns.map((align, column) => ruleOf(align, columns?.[column], before.node.firstChild!.maybeChild(column)?.attrs["align"] === align ? lines[1]!.pieces[column] : undefined));
  return [written[0], joined({ ...lines[1]!, pieces: rule }), ...written.slice(1)].join("\n");
}

function lineOf(text: string): Line {
  const [begin = ""] = /^\s*\|?/.exec(text) ?? [];
  const [end = ""] = /(?<!\\)\|?\s*$/.exec(text.slice(begin.length)) ?? [];
  return { begin, pieces: text.slice(begin.length, text.length - end.length).split(PIPE), end };
}

function joined({ begin, pieces, end }: Line): string {
  const text = pieces.join("|");
  return begin + (begin.includes("|") ? text : text.trimStart()) + end;
}

/** How wide each column is, where it is as wide in every line and somebody filled it up for that. */
function widthsOf(lines: readonly Line[]): readonly number[] | undefined {
  const [first, ...others] = lines.map(({ pieces }) => pieces.map(size));
  const isEven = others.every((sizes) => sizes.length === first!.length && sizes.every((one, column) => one === first![column]));
  const isFilled = lines.some(({ pieces }) => pieces.some((piece) => piece.trim() && /^\s{2}|\s{2}$/.test(piece)));
  return isEven && isFilled ? first : undefined;
}

/** As wide as the column, at the side where it stood or where the column has it. */
function filled(text: string, width: number, was: string | undefined, align: Align): string {
  const room = width - size(text);
  const [isRight, isLeft] = was?.trim() ? [/^\s{2}/.test(was), /\s{2}$/.test(was)] : [false, false];
  const side = isRight === isLeft ? align : isRight ? "right" : "left";
  const front = side === "right" ? room - 1 : side === "center" ? Math.ceil(room / 2) : 1;
  return " ".repeat(front) + text + " ".repeat(room - front);
}

function spaced(text: string, was = "  "): string {
  if (!was.trim()) return ` ${text} `;
  return /^\s*/.exec(was)![0] + text + /\s*$/.exec(was)![0];
}

function ruleOf(align: Align, width: number | undefined, was: string | undefined): string {
  if (was !== undefined && (width === undefined || size(was) === width)) return was;
  const [front, behind] = [align === "left" || align === "center" ? ":" : "", align === "right" || align === "center" ? ":" : ""];
  const edge = was === undefined || /^\s/.test(was) ? " " : "";
  const dashes = Math.max(3, (width ?? 5) - 2 * edge.length - front.length - behind.length);
  return edge + front + "-".repeat(width === undefined ? 3 : dashes) + behind + edge;
}

/** In signs as people count them, more or less. */
function size(text: string): number {
  return [...text].length;
}
