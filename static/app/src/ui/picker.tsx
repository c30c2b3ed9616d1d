/** Choosing one or several of a list by typing: for each field that has choices. */
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { Layer } from "./layer.tsx";
import { rankBy } from "./match.ts";
import { t } from "./texts.ts";

export interface Option<V> {
  readonly value: V;
  readonly title: string;
  readonly mark?: ComponentChildren;
  readonly hint?: string;
  /** Why it cannot be chosen. */
  readonly shut?: string | undefined;
}

interface PickerProps<V> {
  readonly label: string;
  readonly at?: Element | null | undefined;
  readonly options: readonly Option<V>[];
  readonly chosen: readonly V[];
  /** Several may be chosen, and it stays open meanwhile. */
  readonly many?: boolean;
  /** What else a text could mean, such as a date in words. */
  readonly more?: (text: string) => Promise<Option<V> | undefined>;
  readonly onChoose: (value: V) => void;
  readonly onClose: () => void;
}

export function Picker<V>({ label, at, options, chosen, many, more, onChoose, onClose }: PickerProps<V>) {
  const [text, setText] = useState("");
  const [on, setOn] = useState(() => Math.max(0, options.findIndex((option) => chosen.includes(option.value))));
  const [read, setRead] = useState<{ text: string; option: Option<V> }>();
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const found = read?.text === text ? read.option : undefined; // what was meant by other words is not chosen
  const shown = useMemo(() => {
    const fits = text ? rankBy(text, options, (option) => option.title) : [...options];
    return found && text ? [found, ...fits] : fits;
  }, [text, options, found]);
  const at_ = Math.min(on, shown.length - 1);
  useEffect(() => {
    list.current?.children[at_]?.scrollIntoView({ block: "nearest" });
  }, [at_]);
  useEffect(() => {
    if (!more || !text) return;
    let late = false;
    const timer = setTimeout(() => void more(text).then((option) => late || setRead(option && { text, option }), () => undefined), 120);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text, more]);
  const choose = (option: Option<V> | undefined): void => {
    if (!option || option.shut !== undefined) return;
    onChoose(option.value);
    if (!many) onClose();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) setOn((at_ + step + shown.length) % shown.length);
    else if (event.key === "Enter") choose(shown[at_]);
    else return;
    event.preventDefault();
  };
  return (
    <Layer label={label} kind="popover" at={at} onClose={onClose}>
      <input
        class="ask"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length ? `${id}-${at_}` : undefined}
        placeholder={label}
        value={text}
        autocomplete="off"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOn(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="options" role="listbox" id={`${id}-list`} aria-label={label} aria-multiselectable={many} ref={list}>
        {shown.map((option, index) => (
          <li
            key={String(option.value)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={chosen.includes(option.value)}
            aria-disabled={option.shut !== undefined}
            class={index === at_ ? "on" : ""}
            onPointerMove={() => setOn(index)}
            onClick={() => choose(option)}
          >
            {option.mark}
            <span class="grow">{option.title}</span>
            {(option.shut ?? option.hint) && <span class="meta">{option.shut ?? option.hint}</span>}
            <span class="tick" aria-hidden="true">{chosen.includes(option.value) ? "✓" : ""}</span>
          </li>
        ))}
      </ul>
      {!shown.length && <p class="meta pad">{t.nothingFits}</p>}
    </Layer>
  );
}
