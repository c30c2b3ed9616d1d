/**
 * What a text consists of while it is written as it will be read: what Markdown can say, and no more. Whatever else stands
 * in a text stays as it was written there: a block of it as `source`, a few signs of it as `raw`.
 */
import { type Extensions, Mark, Node } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { Bold } from "@tiptap/extension-bold";
import { Code } from "@tiptap/extension-code";
import { CodeBlock } from "@tiptap/extension-code-block";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Heading } from "@tiptap/extension-heading";
import { HorizontalRule } from "@tiptap/extension-horizontal-rule";
import { Italic } from "@tiptap/extension-italic";
import { BulletList, ListItem, OrderedList } from "@tiptap/extension-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Strike } from "@tiptap/extension-strike";
import { Text } from "@tiptap/extension-text";
import { tableEditing } from "@tiptap/pm/tables";
import { checkbox } from "./checkbox.ts";

const hidden = (usual: unknown) => ({ default: usual, rendered: false });

/** Markdown has lines within a paragraph, which mean a space and are kept. */
const Prose = Paragraph.extend({ whitespace: "pre" });

/** `sign`: what stands before an item, or behind its number. `tight`: no empty lines between them. */
const Bullets = BulletList.extend({
  addAttributes: () => ({ sign: hidden("-"), tight: hidden(true) }),
});

/** `step`: by how much each number is more than the one before: none, where all items are called 1. */
const Numbers = OrderedList.extend({
  addAttributes() {
    return { ...this.parent?.(), sign: hidden("."), step: hidden(1), tight: hidden(true) };
  },
});

/** `checked`: of a task; null: it is none. */
const Item = ListItem.extend({
  content: "block+",
  addAttributes: () => ({
    checked: {
      default: null,
      parseHTML: ({ dataset }: HTMLElement) => (dataset["checked"] ? dataset["checked"] === "true" : null),
      renderHTML: ({ checked }: Record<string, unknown>) => (checked === null ? {} : { "data-checked": String(checked) }),
    },
  }),
  addNodeView: () => checkbox,
});

/** Cells take part in the shape of a table, of which Markdown has the simplest alone. */
const shape = () => ({ colspan: hidden(1), rowspan: hidden(1), colwidth: hidden(null) });
/** By which commands for tables know their parts. */
const ROLES: Readonly<Record<string, string>> = { table: "table", row: "row", cell: "cell", head: "header_cell" };

const Table = Node.create({
  name: "table",
  group: "block",
  content: "row+",
  isolating: true,
  extendNodeSchema: ({ name }) => (ROLES[name] ? { tableRole: ROLES[name] } : {}),
  parseHTML: () => [{ tag: "table" }],
  renderHTML: () => ["table", ["tbody", 0]],
  addProseMirrorPlugins: () => [tableEditing()],
});
const Row = Node.create({
  name: "row",
  content: "(cell | head)*",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: () => ["tr", 0],
});
const cell = (name: "cell" | "head", tag: "td" | "th") =>
  Node.create({
    name,
    content: "paragraph",
    isolating: true,
    addAttributes: () => ({
      ...shape(),
      align: {
        default: null,
        parseHTML: (one: HTMLElement) => one.getAttribute("align"),
        renderHTML: ({ align }: Record<string, unknown>) => (align === null ? {} : { class: `to-${align as string}` }),
      },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** Written as it stands in the text: what this editor does not know. */
const Source = Node.create({
  name: "source",
  group: "block",
  content: "text*",
  marks: "",
  code: true,
  defining: true,
  parseHTML: () => [{ tag: "pre[data-source]", preserveWhitespace: "full", priority: 60 }],
  renderHTML: () => ["pre", { "data-source": "", class: "source", dir: "ltr" }, 0],
});

const Picture = Node.create({
  name: "picture",
  group: "inline",
  inline: true,
  draggable: true,
  addAttributes: () => ({ src: { default: "" }, alt: { default: "" }, title: { default: null } }),
  parseHTML: () => [{ tag: "img[src]" }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) =>
    isHere(attrs["src"] as string) ? ["img", HTMLAttributes] : ["span", { class: "chip", title: attrs["src"] as string, "data-src": attrs["src"] as string }, (attrs["alt"] as string) || (attrs["src"] as string)],
});

/** Pictures from elsewhere are not fetched: whose server it is would know who writes. */
function isHere(address: string): boolean {
  return URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;
}

const Link = Mark.create({
  name: "link",
  inclusive: false,
  keepOnSplit: false,
  addAttributes: () => ({
    href: { default: "", parseHTML: (link: HTMLElement) => link.dataset["href"] ?? link.getAttribute("href") },
    title: { default: null },
  }),
  parseHTML: () => [{ tag: "a[href]" }],
  renderHTML({ mark: { attrs } }) {
    const href = attrs["href"] as string;
    return ["a", { ...(isHarmless(href) && { href }), "data-href": href, title: (attrs["title"] as string | null) ?? href }, 0];
  },
});

/** Whether an address may be that of a link: it runs no script. */
export function isHarmless(address: string): boolean {
  return /^(?:https?:|mailto:|tel:|[^:]*(?:[/?#]|$))/i.test(address.trim());
}

/** Signs that are written as they stand, such as a tag of HTML. */
const Raw = Mark.create({
  name: "raw",
  inclusive: false,
  excludes: "code escaped",
  parseHTML: () => [{ tag: "span[data-raw]" }],
  renderHTML: () => ["span", { "data-raw": "", class: "raw" }, 0],
});

/** A sign that somebody wrote behind a backslash, which stays there. */
const Escaped = Mark.create({
  name: "escaped",
  inclusive: false,
  parseHTML: () => [{ tag: "span[data-escaped]" }],
  renderHTML: () => ["span", { "data-escaped": "" }, 0],
});

/** The order of marks is that in which they stand within each other. */
export const KINDS: Extensions = [
  Document, Text, Prose, Heading, Bullets, Numbers, Item, Blockquote, CodeBlock, HorizontalRule, HardBreak, Table, Row,
  cell("head", "th"), cell("cell", "td"), Source, Picture, Link, Bold, Italic, Strike, Code.extend({ excludes: "raw escaped" }), Raw, Escaped,
];
