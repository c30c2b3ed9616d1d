/** What comes from elsewhere: Markdown becomes what it says, and of HTML stays what can do nothing but be read. */
import type { EditorProps, EditorView } from "@tiptap/pm/view";
import { Fragment, type Node, Slice } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import { washed } from "../ui/wash.ts";
import type { Sheet } from "./sheet.ts";

/** Programmers' editors copy a text as HTML, too, in which it is nothing but coloured. */
const SAYS = /<(?:p|h[1-6]|ul|ol|li|table|a|strong|b|em|i|code|blockquote|img|hr)[\s>]|data-pm-slice/i;

export function pasting(sheet: () => Sheet, send: (files: readonly File[]) => void): EditorProps {
  return {
    transformPastedHTML: washed,
    clipboardTextParser: (text, _, plain) => (plain ? lines(text, sheet()) : sliceOf(sheet().pasted(text))),
    clipboardTextSerializer: (slice) => copied(slice, sheet()),
    handlePaste(view, event) {
      const data = event.clipboardData;
      const text = data?.getData("text/plain") ?? "";
      const files = [...(data?.files ?? [])];
      if (files.length && !text) {
        send(files);
        return true;
      }
      if (view.state.selection.$from.parent.type.spec.code) return false;
      if (linked(view, text.trim())) return true;
      const html = data?.getData("text/html") ?? "";
      return text !== "" && html !== "" && !SAYS.test(html) && view.pasteText(text, event);
    },
    handleDrop(view, event, _, moved) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (moved || !files.length) return false;
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
      if (at) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
      send(files);
      return true;
    },
  };
}

/** An address over words makes a link of them. */
function linked(view: EditorView, text: string): boolean {
  const { selection: { from, to, $from, $to }, schema, tr } = view.state;
  if (from === to || !$from.sameParent($to) || !/^https?:\/\/\S+$/.test(text)) return false;
  view.dispatch(tr.addMark(from, to, schema.marks["link"]!.create({ href: text })));
  return true;
}

/** Blocks as they go into a text: the first and the last become part of what stands there, where they are paragraphs. */
export function sliceOf(nodes: readonly Node[]): Slice {
  const open = (node: Node | undefined): number => (node?.type.name === "paragraph" ? 1 : 0);
  return new Slice(Fragment.from(nodes as Node[]), open(nodes[0]), open(nodes.at(-1)));
}

/** A text that is to stay as it is. */
function lines(text: string, sheet: Sheet): Slice {
  const { paragraph } = sheet.schema.nodes;
  return sliceOf(text.split(/\n{2,}/).map((one) => paragraph!.create(null, one ? sheet.schema.text(one) : null)));
}

function copied(slice: Slice, sheet: Sheet): string {
  const all = slice.content;
  let one = all.childCount === 1 ? all.firstChild! : undefined;
  while (one && !one.isTextblock && one.childCount === 1) one = one.firstChild!;
  // Some words are no item of a list, and some lines no block of code.
  if (one?.isTextblock && slice.openStart && slice.openEnd) return one.type.spec.code ? one.textContent : sheet.copied([sheet.schema.nodes["paragraph"]!.create(null, one.content)]);
  const { doc } = sheet.schema.nodes;
  return doc!.validContent(all) ? sheet.copied(all.content) : all.textBetween(0, all.size, "\n", "");
}

