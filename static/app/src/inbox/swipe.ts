/** Drawing an entry aside with a finger: to the one side it is done with, to the other it comes back later. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What is less may be a tap, or the beginning of a scroll. */
const BEGINS_PX = 14;
/** So much of its width it is drawn for it to count. */
const COUNTS = 0.35;

interface Swipe {
  /** It was drawn against the direction in which one reads. */
  readonly back: () => void;
  readonly on: (row: HTMLElement) => void;
}

/** For a row that moves with the finger. */
export function useSwipe(asked: Swipe): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const acts = useRef(asked);
  acts.current = asked;
  useEffect(() => {
    const it = row.current!;
    let from: { readonly id: number; readonly x: number; readonly y: number } | undefined;
    let drawn: number | undefined;
    const end = (): void => {
      from = drawn = undefined;
      it.classList.remove("drawn", "to-done", "to-later");
      it.style.transform = "";
    };
    const begin = ({ pointerType, isPrimary, pointerId: id, clientX: x, clientY: y }: PointerEvent): void => {
      if (pointerType === "touch" && isPrimary) from = { id, x, y };
    };
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== from?.id) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (drawn === undefined && (Math.abs(x) < BEGINS_PX || Math.abs(x) < 2 * Math.abs(y))) return;
      if (drawn === undefined) it.setPointerCapture(from.id);
      drawn = x;
      it.classList.add("drawn");
      it.classList.toggle("to-done", isBack(x));
      it.classList.toggle("to-later", !isBack(x));
      it.style.transform = `translateX(${x}px)`;
    };
    const isBack = (x: number): boolean => x < 0 === (getComputedStyle(it).direction === "ltr");
    const leave = (event: PointerEvent): void => {
      const by = event.pointerId === from?.id ? drawn : undefined;
      end();
      if (by === undefined || Math.abs(by) < COUNTS * it.clientWidth) return;
      if (isBack(by)) acts.current.back();
      else acts.current.on(it);
    };
    const listeners = { pointerdown: begin, pointermove: move, pointerup: leave, pointercancel: end } as const;
    for (const [name, hear] of Object.entries(listeners)) it.addEventListener(name, hear as (event: Event) => void);
    return () => {
      for (const [name, hear] of Object.entries(listeners)) it.removeEventListener(name, hear as (event: Event) => void);
    };
  }, []);
  return row;
}
