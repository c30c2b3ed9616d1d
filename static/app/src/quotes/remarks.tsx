/** Beside a text: the words of it that something is said about, and the way to say something about others. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Comment } from "@kbwork/client";
import { nameOf } from "../issues/marks.tsx";
import { quote } from "../store/drafts.ts";
import type { Topic } from "../talk/topic.ts";
import { covers, offer, written } from "../ui/commands.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { anchorOf, parsed, spanOf } from "./anchor.ts";
import { buttonOf, isAt, light, mark, places, toThread } from "./marks.ts";
import { Prose } from "./prose.ts";
import { words } from "./texts.ts";

const KEYS = "Shift+M";
/** A selection that is still made is no wish yet. */
const CALM_MS = 120;
/** Marks of the same line stand below each other. */
const HIGH = 26;
/** What a finger selects has the bar and the handles of the system around it. */
const CLEAR = { mouse: { above: 38, below: 8 }, finger: { above: 112, below: 56 } };
const HEAD_PX = 52;
const HALF_PX = 90;

interface RemarksProps {
  readonly topic: Topic;
  readonly comments: readonly Comment[];
  readonly canComment: boolean;
}

interface Mark {
  readonly comment: Comment;
  readonly range: Range;
  readonly quote: string;
  readonly top: number;
}

export function Remarks({ topic, comments, canComment }: RemarksProps) {
  const own = useRef<HTMLDivElement>(null);
  const starters = comments.filter(({ anchor, parent }) => anchor !== null && parent === null);
  const known = starters.map(({ id, anchor, resolved_at }) => `${id} ${resolved_at} ${anchor}`).join("\n");
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  /** Also those in parts that are folded. */
  const open = useRef<readonly Mark[]>([]);
  const box = (): HTMLElement => own.current!.closest<HTMLElement>(".remarked")!;
  const prose = (): Element | null => box().querySelector(".prose:not(.plain-text)");
  useLayoutEffect(() => {
    let end: (() => void) | undefined;
    const look = (): void => {
      end?.();
      end = undefined;
      const text = prose();
      open.current = [];
      if (!text || !starters.length) return setMarks([]);
      const found = rangesIn(text, starters);
      places.value = new Map([...places.peek(), ...found]);
      open.current = starters.flatMap((comment): Mark[] => {
        const range = found.get(comment.id);
        return range && comment.resolved_at === null ? [{ comment, range, quote: parsed(comment.anchor)!.exact, top: 0 }] : [];
      });
      const unmark = mark(open.current.map(({ range }) => range));
      end = () => {
        unmark();
        places.value = new Map([...places.peek()].filter(([id]) => !found.has(id)));
      };
      lay();
    };
    const lay = (): void => setMarks(laidOut(open.current, box()));
    look();
    // What is drawn anew takes the places with it; a picture that comes moves them.
    const changes = new MutationObserver((records) => records.some(({ target }) => !own.current?.contains(target)) && look());
    changes.observe(box(), { childList: true, characterData: true, subtree: true });
    const sizes = new ResizeObserver(lay);
    sizes.observe(box());
    const place = box();
    place.addEventListener("toggle", lay, true);
    return () => {
      changes.disconnect();
      sizes.disconnect();
      place.removeEventListener("toggle", lay, true);
      end?.();
      light(undefined);
    };
  }, [known]);
  useEffect(() => {
    const place = box();
    const clicked = (event: MouseEvent): void => {
      if (!(getSelection()?.isCollapsed ?? true) || (event.target as Element).closest("a, button, summary, .tick")) return;
      const hit = open.current.findLast(({ range }) => isAt(range, event.clientX, event.clientY));
      if (hit) toThread(hit.comment.id);
    };
    place.addEventListener("click", clicked);
    return () => place.removeEventListener("click", clicked);
  }, []);
  const { picked, at } = useSelected(prose, box, canComment);
  const speak = (): void => {
    const text = prose();
    const range = picked.current;
    const read = text && range ? new Prose(text) : undefined;
    const anchor = read && anchorOf(read.flat.text, read.span(range!));
    if (!anchor) return say(words.selectFirst);
    getSelection()?.removeAllRanges();
    quote(topic.draft, JSON.stringify(anchor));
    const form = document.getElementById(`write-${topic.draft}`);
    form?.scrollIntoView({ block: "nearest" });
    form?.querySelector("textarea")?.focus();
  };
  const latest = useRef(speak);
  latest.current = speak;
  useLayoutEffect(() => {
    const atCaret = (): Mark | undefined => {
      const selection = getSelection();
      const { anchorNode: node, anchorOffset: offset } = selection ?? {};
      if (!selection?.isCollapsed || !node || !box().contains(node)) return undefined;
      return open.current.findLast(({ range }) => range.isPointInRange(node, offset!));
    };
    return offer([
      { id: "talk:quote", title: words.commentOnThis, group: t.comments, keys: [KEYS], when: () => canComment, run: () => latest.current() },
      { id: "talk:thread", title: words.toThread, group: t.comments, keys: ["Enter"], when: () => atCaret() !== undefined, run: () => toThread(atCaret()!.comment.id) },
    ]);
  }, [canComment]);
  return (
    <div ref={own} class="remarks">
      {marks.length > 0 && (
        <ul aria-label={words.remarks}>
          {marks.map(({ comment, range, quote, top }) => {
            const title = words.saidOn(nameOf(comment.author) ?? comment.author, quote);
            return (
              <li key={comment.id}>
                <button
                  type="button"
                  id={buttonOf(comment.id)}
                  class="mini"
                  style={{ top: `${top}px` }}
                  title={title}
                  aria-label={title}
                  onFocus={() => light(range)}
                  onBlur={() => light(undefined)}
                  onPointerEnter={() => light(range)}
                  onPointerLeave={() => light(undefined)}
                  onClick={() => toThread(comment.id)}
                >
                  <Icon of="comment" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {at && (
        <button type="button" class="on-this" style={{ left: `${at.left}px`, top: `${at.top}px` }} onPointerDown={(event) => event.preventDefault()} onMouseDown={(event) => event.preventDefault()} onClick={speak}>
          <Icon of="comment" /> {words.commentOnThis} <kbd>{written(KEYS)}</kbd>
        </button>
      )}
    </div>
  );
}

/** By the id of the comment: the text is read once for all of them. */
function rangesIn(text: Element, starters: readonly Comment[]): Map<number, Range | null> {
  const read = new Prose(text);
  return new Map(
    starters.flatMap(({ id, anchor }): [number, Range | null][] => {
      const asked = parsed(anchor);
      const span = asked && spanOf(read.flat.text, asked);
      return asked ? [[id, span ? read.range(span) : null]] : [];
    }),
  );
}

/** Each at its line, in the order of the text; those in a part that is folded are not to be seen. */
function laidOut(marks: readonly Mark[], box: HTMLElement): Mark[] {
  const { top } = box.getBoundingClientRect();
  const found: Mark[] = [];
  const seen = marks.flatMap((one) => {
    const first = one.range.startContainer.parentElement?.checkVisibility() ? one.range.getClientRects()[0] : undefined;
    return first ? [{ ...one, top: first.top - top }] : [];
  });
  for (const one of seen.sort((a, b) => a.top - b.top)) found.push({ ...one, top: Math.max(one.top, (found.at(-1)?.top ?? -HIGH) + HIGH) });
  return found;
}

/** What is selected of the text, also while something covers it, and where a button for it has room. */
function useSelected(prose: () => Element | null, box: () => HTMLElement, canComment: boolean) {
  const picked = useRef<Range>(undefined);
  const [at, setAt] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    if (!canComment) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => setAt(picked.current && roomFor(picked.current, box().getBoundingClientRect()));
    const look = (): void => {
      const selection = getSelection();
      const range = selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : undefined;
      if (range && prose()?.contains(range.startContainer)) picked.current = range.cloneRange();
      else if (covers.peek() > 0) return; // a field there has the selection meanwhile
      else picked.current = undefined;
      clearTimeout(timer);
      timer = setTimeout(show, picked.current ? CALM_MS : 0);
    };
    look();
    document.addEventListener("selectionchange", look); // told late: what covers it may have the selection by then
    const stop = covers.subscribe((count) => count > 0 && look());
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener("selectionchange", look);
    };
  }, [canComment]);
  return { picked, at };
}

function roomFor(range: Range, box: DOMRect): { left: number; top: number } | undefined {
  const { left, width, top, bottom } = range.getBoundingClientRect();
  if (!width) return undefined;
  const clear = matchMedia("(pointer: coarse)").matches ? CLEAR.finger : CLEAR.mouse;
  const middle = Math.max(HALF_PX, Math.min(box.width - HALF_PX, left + width / 2 - box.left));
  return { left: middle, top: (top - clear.above > HEAD_PX ? top - clear.above : Math.min(bottom + clear.below, innerHeight - HEAD_PX)) - box.top };
}
