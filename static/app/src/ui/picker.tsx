/** Choosing one or several of a list by typing: for each field that has choices. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Combobox } from "./combobox.tsx";
import { Layer } from "./layer.tsx";
import { rankBy } from "./match.ts";

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
  /** It stays open when one was chosen, for a question behind it. */
  readonly stays?: boolean;
  /** So many are shown, where there are very many. */
  readonly most?: number;
  /** What else a text means, such as a number. */
  readonly also?: (text: string) => Option<V> | undefined;
  /** What else a text could mean that has to be asked for, such as a date in words. */
  readonly more?: (text: string) => Promise<Option<V> | undefined>;
  readonly onChoose: (value: V) => void;
  readonly onClose: () => void;
}

export function Picker<V>({ label, at, options, chosen, many, stays = many, most = Infinity, also, more, onChoose, onClose }: PickerProps<V>) {
  const [text, setText] = useState("");
  const [on, setOn] = useState(() => Math.max(0, options.findIndex((option) => chosen.includes(option.value))));
  const [read, setRead] = useState<{ text: string; option: Option<V> }>();
  const found = also?.(text) ?? (read?.text === text ? read.option : undefined); // what was meant by other words is not chosen
  const shown = useMemo(() => {
    const fits = text ? rankBy(text, options, (option) => option.title) : [...options];
    return (found && text ? [found, ...fits.filter((option) => option.value !== found.value)] : fits).slice(0, most);
  }, [text, options, found?.value, most]);
  useEffect(() => {
    if (!more || !text) return;
    let late = false;
    const timer = setTimeout(() => void more(text).then((option) => late || setRead(option && { text, option }), () => undefined), 120);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text, more]);
  const choose = (option: Option<V>): void => {
    if (option.shut !== undefined) return;
    onChoose(option.value);
    if (!stays) onClose();
  };
  return (
    <Layer label={label} kind="popover" at={at} onClose={onClose}>
      <Combobox
        label={label}
        text={text}
        onText={setText}
        entries={shown}
        on={Math.min(on, shown.length - 1)}
        onMove={setOn}
        onTake={choose}
        keyOf={(option) => String(option.value)}
        isSelected={(option) => chosen.includes(option.value)}
        isShut={(option) => option.shut !== undefined}
        many={many}
      >
        {(option) => (
          <>
            {option.mark}
            <span class="grow">{option.title}</span>
            {(option.shut ?? option.hint) && <span class="meta">{option.shut ?? option.hint}</span>}
            <span class="tick" aria-hidden="true">{chosen.includes(option.value) ? "✓" : ""}</span>
          </>
        )}
      </Combobox>
    </Layer>
  );
}
