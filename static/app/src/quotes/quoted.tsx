/** The words that a thread is about, and those that the next comment will be about. */
import { Icon } from "../ui/icons.tsx";
import { parsed } from "./anchor.ts";
import { places, toWords } from "./marks.ts";
import { words } from "./texts.ts";

/** Over a thread: they lead to where they stand. */
export function Quoted({ id, anchor }: { id: number; anchor: string }) {
  const quote = parsed(anchor)?.exact;
  const range = places.value.get(id);
  if (!quote) return null;
  return (
    <p class="quoted">
      <span class="meta">{words.on}</span>{" "}
      {range ? <button type="button" class="plain" title={words.lead} onClick={() => toWords(id)} dir="auto">{words.quote(quote)}</button> : <q dir="auto">{quote}</q>}
      {range === null && <span class="meta"> {words.gone}</span>}
    </p>
  );
}

/** Over where it is written. */
export function Quoting({ anchor, onDrop }: { anchor: string; onDrop: () => void }) {
  const quote = parsed(anchor)?.exact;
  if (!quote) return null;
  return (
    <p class="quoted">
      <span class="meta">{words.on}</span> <q dir="auto">{quote}</q>
      <button type="button" class="mini" aria-label={words.drop} title={words.drop} onClick={onDrop}><Icon of="close" /></button>
    </p>
  );
}
