/** What floats over the rest: it takes the focus, keeps it, and gives it back where it came from. */
import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";
import type { ComponentChildren, DialogHTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { covers } from "./commands.ts";

interface LayerProps {
  readonly label: string;
  readonly kind: "palette" | "dialog" | "popover";
  /** What a popover stands at; without it, it stands in the middle. */
  readonly at?: Element | null | undefined;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

const FIELD = "[autofocus], input, textarea";

/**
 * What has one field needs no `showModal`, which computes the style of all that lies beneath it anew: half of the time that
 * it takes to open. It covers the whole page, and keeps the focus itself.
 */
function asPopover(box: RefObject<HTMLDialogElement | null>, close: { current: () => void }): DialogHTMLAttributes<HTMLDialogElement> {
  return {
    popover: "auto",
    "aria-modal": true,
    onKeyDown: (event) => event.key === "Tab" && event.preventDefault(),
    onFocusOut: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget as Element | null)) requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(FIELD)?.focus());
    },
    onToggle: ({ newState }) => newState === "closed" && close.current(),
  };
}

export function Layer({ label, kind, at, onClose, children }: LayerProps) {
  const box = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  const isLight = kind === "palette";
  /** What stood in its fields when it opened. */
  const first = useRef("");
  useLayoutEffect(() => {
    const dialog = box.current!;
    const before = document.activeElement as HTMLElement | null;
    covers.value++;
    if (isLight) dialog.showPopover();
    else dialog.showModal();
    dialog.querySelector<HTMLElement>(FIELD)?.focus();
    first.current = written(dialog);
    const stop = at && kind === "popover" ? autoUpdate(at, dialog, () => void place(at, dialog)) : undefined;
    return () => {
      stop?.();
      covers.value--;
      close.current = () => undefined; // that it is closed is told later, when another one may be open
      if (isLight) dialog.hidePopover();
      else dialog.close();
      before?.focus({ preventScroll: true });
    };
  }, [at, isLight]);
  return (
    <dialog
      ref={box}
      class={`layer ${kind}${at ? " placed" : ""}`}
      aria-label={label}
      {...(isLight && asPopover(box, close))}
      onCancel={(event) => {
        if (event.target !== box.current) return; // of a choice of files within it
        event.preventDefault();
        close.current();
      }}
      onPointerDown={(event) => {
        // A click beside it that missed is no wish to throw away what was written; Escape is.
        const dialog = event.currentTarget;
        if (event.target !== dialog || isOnBar(event, dialog) || (kind === "dialog" && written(dialog) !== first.current)) return;
        event.preventDefault(); // nor is it one to have the focus go where it was
        close.current();
      }}
    >
      <div class="inner">{children}</div>
    </dialog>
  );
}

/** What covers the page has no bar to scroll it by; another one that is pressed within its edges is pressed there. */
function isOnBar({ clientX: x, clientY: y }: PointerEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return dialog.scrollHeight > dialog.clientHeight && x >= left && x <= right && y >= top && y <= bottom;
}

function written(dialog: HTMLElement): string {
  return [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input:not([type=checkbox], [type=radio]), textarea")].map(({ value }) => value).join("\0");
}

async function place(at: Element, dialog: HTMLDialogElement): Promise<void> {
  const { x, y } = await computePosition(at, dialog, {
    strategy: "fixed",
    placement: "bottom-start",
    middleware: [
      offset(4),
      flip({ padding: 8 }),
      shift({ padding: 8 }),
      size({
        padding: 8,
        apply: ({ availableHeight, elements }) => {
          elements.floating.style.maxHeight = `${Math.max(160, availableHeight)}px`;
        },
      }),
    ],
  });
  dialog.style.left = `${x}px`;
  dialog.style.top = `${y}px`;
}
