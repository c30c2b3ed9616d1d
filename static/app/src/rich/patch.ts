/** From one document to another by the smallest changes, so that whoever writes in it goes on where they are. */
import type { Fragment, Node } from "@tiptap/pm/model";
import type { Selection, Transaction } from "@tiptap/pm/state";

/** Let what stands in `old`, of which the content begins at a place, be that of `next`. From behind, so that places stay. */
export function patch(tr: Transaction, old: Node, next: Node, start: number): void {
  if (old.inlineContent || old.childCount !== next.childCount) return replace(tr, old, next, start);
  let at = start + old.content.size;
  for (let place = old.childCount - 1; place >= 0; place--) {
    const [one, other] = [old.child(place), next.child(place)];
    at -= one.nodeSize;
    if (one.eq(other)) continue;
    if (one.type !== other.type || one.isLeaf) tr.replaceWith(at, at + one.nodeSize, other);
    else {
      patch(tr, one, other, at + 1);
      if (!one.sameMarkup(other)) tr.setNodeMarkup(at, null, other.attrs);
    }
  }
}

function replace(tr: Transaction, old: Node, next: Node, at: number): void {
  const start = old.content.findDiffStart(next.content);
  if (start === null) return;
  const { a, b } = old.content.findDiffEnd(next.content)!;
  const over = Math.max(0, start - Math.min(a, b));
  tr.replace(at + start, at + a + over, next.slice(start, b + over));
}

/** What stands in front of the cursor at the end of a line and is in no Markdown: spaces, and the beginning of a line. */
export function trailOf({ empty, $head: { parent, parentOffset } }: Selection): Fragment | undefined {
  if (!empty || !parent.isTextblock || parent.type.spec.code || parentOffset !== parent.content.size) return undefined;
  let end = parent.content.size;
  for (const child of parent.children.toReversed()) {
    const said = child.isText ? child.text!.trimEnd().length : child.type.name === "hardBreak" ? 0 : child.nodeSize;
    end -= child.nodeSize - said;
    if (said) break;
  }
  return parent.content.cut(end);
}
