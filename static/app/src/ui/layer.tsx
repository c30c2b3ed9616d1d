/** What floats over the rest: it takes the focus, keeps it, and gives it back where it came from. */
import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";
import { type ComponentChildren } from "preact";
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

export function Layer({ label, kind, at, onClose, children }: LayerProps) {
  const box = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  /** What stood in its fields when it opened. */
  const first = useRef("");
  useLayoutEffect(() => {
    const dialog = box.current!;
    const before = document.activeElement as HTMLElement | null;
    covers.value++;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[autofocus], input, textarea")?.focus();
    first.current = written(dialog);
    const stop = at && kind === "popover" ? autoUpdate(at, dialog, () => void place(at, dialog)) : undefined;
    return () => {
      stop?.();
      covers.value--;
      dialog.close();
      before?.focus({ preventScroll: true });
    };
  }, [at, kind]);
  return (
    <dialog
      ref={box}
      class={`layer ${kind}${at ? " placed" : ""}`}
      aria-label={label}
      onCancel={(event) => {
        if (event.target !== box.current) return; // of a choice of files within it
        event.preventDefault();
        close.current();
      }}
      onPointerDown={(event) => {
        // A click beside it that missed is no wish to throw away what was written; Escape is.
        const dialog = event.currentTarget;
        if (event.target === dialog && (kind !== "dialog" || written(dialog) === first.current)) close.current();
      }}
    >
      <div class="inner">{children}</div>
    </dialog>
  );
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
