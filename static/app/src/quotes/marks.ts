/** Words that something is said about, marked softly where a browser can do that without a change of the text. */
import { signal } from "@preact/signals";
import { dress } from "../ui/later.tsx";

/** Where the words of comments stand, by the id of the comment; null: they are gone. Of texts that are on the screen. */
export const places = signal<ReadonlyMap<number, Range | null>>(new Map());

dress(`
.remarked { position: relative; }
::highlight(remark) { background-color: color-mix(in oklch, var(--accent) 18%, transparent); }
::highlight(remark-on) { background-color: color-mix(in oklch, var(--accent) 40%, transparent); }
`);

const marks = highlight("remark");
const on = highlight("remark-on");

function highlight(name: string): Highlight | undefined {
  if (!("highlights" in CSS)) return undefined;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

/** Have these marked. Answers what ends it. */
export function mark(ranges: readonly Range[]): () => void {
  for (const range of ranges) marks?.add(range);
  return () => {
    for (const range of ranges) marks?.delete(range);
  };
}

/** The one that is looked at, if any. */
export function light(range: Range | undefined): void {
  on?.clear();
  if (range) on?.add(range);
}

export function isAt(range: Range, x: number, y: number): boolean {
  return [...range.getClientRects()].some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
}

export function toThread(id: number): void {
  const said = document.getElementById(`comment-${id}`);
  if (!said) return;
  said.tabIndex = -1;
  said.focus({ preventScroll: true });
  said.scrollIntoView({ block: "center" });
}

export const buttonOf = (id: number): string => `remark-${id}`;

/** To the words, with their folded parts unfolded, and to the mark from which a key leads back. */
export function toWords(id: number): void {
  const range = places.peek().get(id);
  if (!range) return;
  const around = range.startContainer.parentElement;
  for (let part = around?.closest("details:not([open])"); part; part = part.closest("details:not([open])")) (part as HTMLDetailsElement).open = true;
  around?.scrollIntoView({ block: "center" });
  light(range);
  document.getElementById(buttonOf(id))?.focus({ preventScroll: true });
}
