/** What a text names is shown as what it leads to: pages, people, issues and addresses. */
import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { tables } from "../store/tables.ts";

const NAMED = /\[\[[^[\]\n]{1,600}\]\]|(?<![\w.@/-])@([\p{L}\p{N}._-]*[\p{L}\p{N}])|(?<![\w/-])([A-Z][A-Z0-9]{1,9})-\d{1,9}(?![\w-])|https?:\/\/[^\s<>]+[^\s<>.,;:!?)'"\]]/gu;

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Of texts, which stay the same while another is written on. */
const known = new WeakMap<Node, readonly Place[]>();

export const Shown = Extension.create({
  name: "shown",
  addProseMirrorPlugins() {
    return [
      new Plugin({
        state: {
          init: (_, { doc }) => all(doc),
          apply: (tr, before) => (tr.docChanged ? all(tr.doc) : before),
        },
        props: {
          decorations(state) {
            return this.getState(state);
          },
        },
      }),
    ];
  },
});

function all(doc: Node): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, at) => {
    if (!node.isText) return !node.type.spec.code;
    for (const { from, to } of places(node)) found.push(Decoration.inline(at + from, at + to, { class: "named" }));
    return false;
  });
  return DecorationSet.create(doc, found);
}

function places(node: Node): readonly Place[] {
  const before = known.get(node);
  if (before) return before;
  const isPlain = !node.marks.some(({ type: { name } }) => name === "code" || name === "raw" || name === "link");
  const found = isPlain ? [...node.text!.matchAll(NAMED)].filter(([, who, project]) => isThere(who, project)).map(({ 0: text, index }) => ({ from: index, to: index + text.length })) : [];
  known.set(node, found);
  return found;
}

/** Not everything that looks like a name is one. */
function isThere(who: string | undefined, project: string | undefined): boolean {
  if (who !== undefined) return tables.member.all().some(({ handle }) => handle === who);
  return project === undefined || tables.project.all().some(({ key }) => key === project);
}
