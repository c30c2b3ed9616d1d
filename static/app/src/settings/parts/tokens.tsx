/** Some words, each of which can be taken out; what fits is proposed while one writes, and another word may be written, too. */
import { useId, useState } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";
import { s } from "../texts.ts";
import { type FormField, Proposals, type Value } from "./field.tsx";

interface TokensProps {
  readonly field: FormField;
  readonly value: readonly string[];
  readonly same: Record<string, unknown>;
  readonly onChange: (to: Value) => void;
}

export function Tokens({ field, value, same, onChange }: TokensProps) {
  const id = useId();
  /** What is being written is the last of them already, so that it is kept and sent with the others. */
  const [written, setText] = useState("");
  const text = written && value.at(-1) === written ? written : ""; // what was discarded is gone from here, too
  const chosen = text ? value.slice(0, -1) : value;
  const choices = (field.choices ?? []).filter((one) => !chosen.includes(one.value));
  const write = (typed: string): void => {
    const word = typed.trimStart();
    const isWhole = choices.some((one) => one.value === word && one.value.length > text.length + 1); // taken from the proposals
    setText(isWhole ? "" : word);
    onChange(word ? [...chosen, word] : chosen);
  };
  const close = (): void => {
    const word = text.trim();
    setText("");
    onChange(word && !chosen.includes(word) ? [...chosen, word] : chosen);
  };
  return (
    <div class="tokens">
      {chosen.map((word) => (
        <span class="chip" key={word}>
          <span class="cut" dir="auto">{field.choices?.find((one) => one.value === word)?.title ?? word}</span>
          {same["disabled"] !== true && (
            <button type="button" class="mini" aria-label={s.takeOut(word)} onClick={() => onChange(value.filter((one) => one !== word))}><Icon of="close" /></button>
          )}
        </span>
      ))}
      <input
        {...same}
        list={`${id}-list`}
        autocomplete="off"
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onBlur={() => text && close()}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (text && (event.key === "Enter" || event.key === ",")) close();
          else if (!text && event.key === "Backspace" && chosen.length) onChange(chosen.slice(0, -1));
          else return;
          event.preventDefault();
        }}
      />
      <Proposals id={`${id}-list`} of={choices} />
    </div>
  );
}
