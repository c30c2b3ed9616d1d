/** Values one after the other: typed with Enter or a comma, pasted by lines, taken away one by one. */
import { useState } from "preact/hooks";
import { t } from "./texts.ts";

interface ChipsProps {
  readonly label: string;
  readonly values: readonly unknown[];
  readonly shut: boolean;
  readonly read?: (text: string) => unknown;
  readonly place?: string;
  /** What is suggested while one types. */
  readonly among?: readonly string[] | undefined;
  readonly onValues: (values: readonly unknown[]) => void;
}

const MOST_SHOWN = 60;

export function Chips({ label, values, shut, read = (text) => text, place, among, onValues }: ChipsProps) {
  const [text, setText] = useState("");
  const [all, setAll] = useState(false);
  const add = (texts: readonly string[]): void => {
    const come = texts.map((one) => one.trim()).filter(Boolean).map(read).filter((one) => !values.includes(one));
    if (come.length) onValues([...values, ...new Set(come)]);
    setText("");
  };
  const shown = all ? values : values.slice(0, MOST_SHOWN);
  const list = among?.length ? `among-${label.replace(/\W+/g, "-")}` : undefined;
  return (
    <span class="chips" role="group" aria-label={label}>
      {shown.map((value, at) => (
        <span class="chip value" key={at}>
          <span class="cut" dir="auto" title={chipText(value)}>{chipText(value)}</span>
          {!shut && (
            <button type="button" class="mini" aria-label={t.removeValue(String(value))} onClick={() => onValues(values.filter((_, other) => other !== at))}>×</button>
          )}
        </span>
      ))}
      {values.length > shown.length && <button type="button" class="plain" onClick={() => setAll(true)}>{t.andMore(values.length - shown.length)}</button>}
      {!shut && (
        <input
          aria-label={label}
          placeholder={place ?? t.addValue}
          value={text}
          list={list}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => {
            const typed = event.currentTarget.value;
            if (typed.includes(",") && !typed.includes('"')) add(typed.split(","));
            else setText(typed);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData("text") ?? "";
            if (!/[\n\t]/.test(pasted)) return;
            event.preventDefault();
            add(pasted.split(/[\n\t]/));
          }}
          onBlur={() => add([text])}
          onKeyDown={(event) => {
            if (event.key === "Enter" && text.trim()) {
              event.preventDefault();
              event.stopPropagation();
              add([text]);
            } else if (event.key === "Backspace" && !text && values.length) onValues(values.slice(0, -1));
          }}
        />
      )}
      {list && <datalist id={list}>{among!.map((one) => <option key={one} value={one} />)}</datalist>}
    </span>
  );
}

/** Text that could be taken for a number or a truth stands in quotes. */
function chipText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isLiteral(value) ? JSON.stringify(value) : value;
}

function isLiteral(text: string): boolean {
  return /^(true|false|-?\d+(\.\d+)?)$/.test(text);
}

/** What was typed as a value of this operator: numbers as numbers where they are compared, else as one writes it. */
export function readValue(op: string, attribute: string | undefined): (text: string) => unknown {
  const compares = /^(less|greater)/.test(op);
  return (text) => {
    if (/^".*"$/.test(text)) return text.slice(1, -1);
    if (compares || (op === "in" && attribute !== "key")) return isLiteral(text) ? (JSON.parse(text) as unknown) : text;
    return text;
  };
}
