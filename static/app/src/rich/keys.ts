/** What keys do while one writes, beside what they do in each part of a text. */
import { type Editor, Extension, InputRule } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { addRowAfter, goToNextCell, isInTable } from "@tiptap/pm/tables";

/** `[ ] ` at the beginning of a line or an item makes a task of it. */
const TASK = new InputRule({
  find: /^\[([ xX]?)\]\s$/,
  handler({ state, range, match, chain }) {
    const $from = state.doc.resolve(range.from);
    const checked = match[1]!.toLowerCase() === "x";
    const item = $from.node(-1);
    if (item?.type.name === "listItem" && item.firstChild === $from.parent) {
      state.tr.delete(range.from, range.to).setNodeAttribute($from.before(-1), "checked", checked);
    } else if ($from.parent.type.name === "paragraph" && !isInTable(state)) {
      chain().deleteRange(range).toggleBulletList().updateAttributes("listItem", { checked }).run();
    }
  },
});

/** `[words](address)` is a link as soon as its last sign is there. */
const LINK = new InputRule({
  find: /(?<!!)\[([^[\]\n]+)\]\(([^\s()]+)\)$/,
  handler({ state, range, match }) {
    const link = state.schema.marks["link"]!.create({ href: match[2] });
    state.tr.replaceWith(range.from, range.to, state.schema.text(match[1]!, [link])).removeStoredMark(link.type);
  },
});

export const Keys = Extension.create({
  name: "keys",
  priority: 1_000,
  addInputRules: () => [TASK, LINK],
  addKeyboardShortcuts() {
    const { editor } = this;
    const goTo = (direction: 1 | -1) => (): boolean => {
      const { state, view } = editor;
      if (!isInTable(state)) return false;
      if (goToNextCell(direction)(state, view.dispatch)) return true;
      if (direction < 0 || !addRowAfter(state, view.dispatch)) return false;
      return goToNextCell(1)(editor.state, view.dispatch);
    };
    return {
      Tab: goTo(1),
      "Shift-Tab": goTo(-1),
      Enter: () => (isInTable(editor.state) ? below(editor) : editor.getAttributes("listItem")["checked"] === true && editor.commands.splitListItem("listItem", { checked: false })),
      // A line of its own where everything else is one block.
      "Shift-Enter": () => isInTable(editor.state) && editor.commands.insertContent({ type: "hardBreak" }),
    };
  },
});

/** To the cell below, of a new row behind the last one. */
function below({ state, view }: Editor): boolean {
  const { $head } = state.selection;
  const depth = [...Array($head.depth + 1).keys()].findLast((one) => $head.node(one).type.name === "row");
  if (depth === undefined) return false;
  const column = $head.index(depth);
  if ($head.index(depth - 1) === $head.node(depth - 1).childCount - 1) addRowAfter(state, view.dispatch);
  const row = view.state.doc.nodeAt($head.after(depth));
  if (!row) return false;
  const at = row.children.slice(0, column).reduce((all, cell) => all + cell.nodeSize, $head.after(depth) + 1);
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at + 1))).scrollIntoView());
  return true;
}
