/** A text as it stands on the screen, and the words in it by their places. */
import { Flat, type Piece, type Span } from "./anchor.ts";

const APART = new Set("BLOCKQUOTE BR DD DETAILS DIV DL DT H1 H2 H3 H4 H5 H6 HR LI OL P PRE SUMMARY TABLE TD TH TR UL".split(" "));

export class Prose {
  readonly flat: Flat;
  readonly #root: Element;
  readonly #nodes: Text[] = [];

  constructor(root: Element) {
    this.#root = root;
    this.flat = new Flat(this.#pieces());
  }

  /** Whether a box is ticked says nothing about the words behind it. */
  *#pieces(): Generator<Piece> {
    const walker = document.createTreeWalker(this.#root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let apart = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) {
        this.#nodes.push(node);
        yield { text: node.data.replaceAll("☑", "☐"), apart };
        apart = false;
      } else apart ||= APART.has(node.nodeName);
    }
  }

  range({ from, to }: Span): Range {
    const [first, last] = [this.flat.spotOf(from), this.flat.spotOf(to - 1)];
    const range = document.createRange();
    range.setStart(this.#nodes[first.piece]!, first.offset);
    range.setEnd(this.#nodes[last.piece]!, last.offset + 1);
    return range;
  }

  /** What of the text is in a range that begins in it. */
  span(range: Range): Span {
    return {
      from: this.#before(range.startContainer, range.startOffset),
      to: this.#root.contains(range.endContainer) ? this.#before(range.endContainer, range.endOffset) : this.flat.text.length,
    };
  }

  #before(container: Node, offset: number): number {
    const probe = document.createRange();
    probe.setStart(this.#root, 0);
    probe.setEnd(container, offset);
    let [low, high] = [-1, this.#nodes.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (probe.comparePoint(this.#nodes[middle]!, 0) <= 0) low = middle;
      else high = middle - 1;
    }
    const node = this.#nodes[low];
    return node ? this.flat.before({ piece: low, offset: node === container ? offset : node.length }) : 0;
  }
}
