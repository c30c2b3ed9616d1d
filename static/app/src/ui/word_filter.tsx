/** A field for words that narrow the list below it. */
import type { Signal } from "@preact/signals";
import { t } from "./texts.ts";

/** Escape empties it; that and Enter go to the list, which `list` names for the document. */
export function WordFilter({ words, list }: { words: Signal<string>; list: string }) {
  return (
    <input
      class="filter"
      type="search"
      aria-label={t.filter}
      placeholder={t.filter}
      value={words.value}
      onInput={(event) => {
        words.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") words.value = "";
        if (event.key === "Escape" || event.key === "Enter") document.querySelector<HTMLElement>(list)?.focus();
      }}
    />
  );
}
