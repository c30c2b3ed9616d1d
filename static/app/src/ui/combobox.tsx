/** A line to type into, over the list of what fits: one of it is on, and is taken by Enter or a click. */
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "./texts.ts";

/** So many stand in the first frame, which is as many as are seen; the others come behind it. */
const FIRST = 16;

interface ComboboxProps<E> {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly entries: readonly E[];
  /** Which of them is on, by its place. */
  readonly on: number;
  readonly onMove: (to: number) => void;
  readonly onTake: (entry: E) => void;
  readonly keyOf: (entry: E) => string;
  readonly isSelected: (entry: E, at: number) => boolean;
  readonly isShut?: (entry: E) => boolean;
  /** Several may be selected. */
  readonly many?: boolean | undefined;
  readonly children: (entry: E) => ComponentChildren;
}

export function Combobox<E>(props: ComboboxProps<E>) {
  const { label, text, onText, entries, on, onMove, onTake, keyOf, isSelected, isShut, many, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const id = useId();
  useEffect(() => {
    list.current?.children[on]?.scrollIntoView({ block: "nearest" });
  }, [on]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setDrawn(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const entry = entries[on];
    if (step && entries.length) onMove((on + step + entries.length) % entries.length);
    else if (event.key !== "Enter") return;
    else if (entry !== undefined) onTake(entry);
    event.preventDefault();
  };
  return (
    <>
      <input
        class="ask"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length ? `${id}-${on}` : undefined}
        placeholder={label}
        value={text}
        autocomplete="off"
        onInput={(event) => {
          onText(event.currentTarget.value);
          onMove(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="options" role="listbox" id={`${id}-list`} aria-label={label} aria-multiselectable={many} ref={list}>
        {(isDrawn ? entries : entries.slice(0, Math.max(FIRST, on + 1))).map((entry, at) => (
          <li
            key={keyOf(entry)}
            id={`${id}-${at}`}
            role="option"
            aria-selected={isSelected(entry, at)}
            aria-disabled={isShut?.(entry)}
            class={at === on ? "on" : ""}
            onPointerMove={() => onMove(at)}
            onClick={() => onTake(entry)}
          >
            {children(entry)}
          </li>
        ))}
      </ul>
      {!entries.length && <p class="meta pad">{t.nothingFits}</p>}
    </>
  );
}
