/** What a slash at the beginning of a line offers: forms of text, and in a table what can be done with it. */
import type { ChainedCommands, Editor } from "@tiptap/core";
import { addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, isInTable } from "@tiptap/pm/tables";
import type { Command, Transaction } from "@tiptap/pm/state";
import { words } from "./texts.ts";

export interface Form {
  readonly title: string;
  readonly hint: string;
  /** By what it is found as well. */
  readonly word: string;
  readonly run: (editor: Editor) => void;
}

const chain = (of: (chain: ChainedCommands) => ChainedCommands) => (editor: Editor): void => void of(editor.chain().focus()).run();
const command = (one: Command) => (editor: Editor): void => {
  one(editor.state, editor.view.dispatch);
  editor.view.focus();
};

export const TABLE: readonly (Form & { readonly icon: string })[] = [
  { title: words.rowBelow, hint: "", word: "row below add", icon: "↓+", run: command(addRowAfter) },
  { title: words.rowAbove, hint: "", word: "row above add", icon: "↑+", run: command(addRowBefore) },
  { title: words.columnRight, hint: "", word: "column right add", icon: "→+", run: command(addColumnAfter) },
  { title: words.columnLeft, hint: "", word: "column left add", icon: "←+", run: command(addColumnBefore) },
  { title: words.noRow, hint: "", word: "row delete remove", icon: "−↔", run: command((state, dispatch) => deleteRow(state, dispatch) || deleteTable(state, dispatch)) },
  { title: words.noColumn, hint: "", word: "column delete remove", icon: "−↕", run: command((state, dispatch) => deleteColumn(state, dispatch) || deleteTable(state, dispatch)) },
  { title: words.noTable, hint: "", word: "table delete remove", icon: "✕", run: command(deleteTable) },
];

/** `addPicture`, `addPage`: where these come from is not of the text. */
function forms(addPicture: () => void, addPage: () => void): readonly Form[] {
  const heading = (level: 1 | 2 | 3): Form => ({ title: words.heading(level), hint: "#".repeat(level), word: `heading title h${level}`, run: chain((all) => all.setNode("heading", { level })) });
  return [
    heading(2), heading(3), heading(1),
    { title: words.list, hint: "-", word: "list bullets", run: chain((all) => all.toggleBulletList()) },
    { title: words.numbers, hint: "1.", word: "numbered list", run: chain((all) => all.toggleOrderedList()) },
    { title: words.tasks, hint: "[ ]", word: "task todo check list", run: toTask },
    { title: words.table, hint: "| |", word: "table", run: addTable },
    { title: words.code, hint: "```", word: "code block", run: chain((all) => all.setCodeBlock()) },
    { title: words.quote, hint: ">", word: "quote", run: chain((all) => all.setBlockquote()) },
    { title: words.divider, hint: "---", word: "divider line across", run: chain((all) => all.setHorizontalRule()) },
    { title: words.picture, hint: "", word: "picture image file", run: addPicture },
    { title: words.page, hint: "[[", word: "page link", run: addPage },
  ];
}

/** For what stands behind the slash. */
export function formsFor(text: string, editor: Editor, addPicture: () => void, addPage: () => void): readonly Form[] {
  const here = isInTable(editor.state) ? TABLE : forms(addPicture, addPage);
  return here.filter(({ word }) => word.split(" ").some((one) => one.startsWith(text.toLowerCase())));
}

/** The line becomes a task, as an item of a list. */
function toTask(editor: Editor): void {
  if (!editor.isActive("listItem")) editor.chain().focus().toggleBulletList().run();
  editor.chain().focus().updateAttributes("listItem", { checked: false }).run();
}

function addTable(editor: Editor): void {
  const { nodes } = editor.schema;
  const row = (kind: "cell" | "head") => nodes["row"]!.create(null, [0, 1].map(() => nodes[kind]!.createAndFill()!));
  const { $from } = editor.state.selection;
  const [start, end] = $from.depth ? [$from.before(), $from.after()] : [$from.pos, $from.pos];
  const table = nodes["table"]!.create(null, [row("head"), row("cell")]);
  const put = ({ tr }: { tr: Transaction }): boolean => tr.replaceRangeWith(start, end, table).docChanged;
  editor.chain().focus().command(put).setTextSelection(start + 3).run();
}
