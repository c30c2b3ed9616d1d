/** An item of a list, which has a box in front of it where it is a task. */
import type { NodeViewRenderer } from "@tiptap/core";
import { words } from "./texts.ts";

export const checkbox: NodeViewRenderer = ({ node: first, editor, getPos }) => {
  const dom = document.createElement("li");
  const box = document.createElement("button");
  const contentDOM = document.createElement("div");
  let node = first;
  box.type = "button";
  box.className = "box";
  box.contentEditable = "false";
  box.setAttribute("role", "checkbox");
  const show = (): void => {
    const { checked } = node.attrs;
    dom.classList.toggle("task", checked !== null);
    if (checked === null) return box.remove();
    if (!box.isConnected) dom.prepend(box);
    box.ariaChecked = String(checked);
    box.ariaLabel = node.firstChild?.textContent || words.task;
    box.textContent = checked ? "☑" : "☐";
  };
  box.addEventListener("mousedown", (event) => event.preventDefault()); // the cursor stays
  box.addEventListener("click", () => {
    const at = getPos();
    if (at === undefined || !editor.isEditable) return;
    editor.view.dispatch(editor.state.tr.setNodeAttribute(at, "checked", !node.attrs["checked"]));
  });
  dom.append(contentDOM);
  show();
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== node.type) return false;
      node = next;
      show();
      return true;
    },
    ignoreMutation: (change) => change.type !== "selection" && !contentDOM.contains(change.target),
    stopEvent: ({ target }) => target === box,
  };
};
