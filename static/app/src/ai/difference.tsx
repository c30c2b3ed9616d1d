/** Two texts as one, with what goes struck out and what comes marked. */
import { diffLines, diffWordsWithSpace } from "diff";
import { words } from "./texts.ts";

/** From here on lines are compared, and no words. */
const LONG = 2000;
/** Texts that differ in more are shown as one that goes and one that comes. */
const MOST_EDITS = 1000;

export function Difference({ from, to }: { from: string; to: string }) {
  const bound = { maxEditLength: MOST_EDITS };
  const found = (from.length + to.length > LONG ? diffLines(from, to, bound) : diffWordsWithSpace(from, to, bound)) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  return (
    <p class="difference" dir="auto">
      {found.map(({ value, added, removed }, at) =>
        removed ? <del key={at}><span class="hidden">{words.removed} </span>{value}</del> : added ? <ins key={at}><span class="hidden">{words.added} </span>{value}</ins> : <span key={at}>{value}</span>,
      )}
    </p>
  );
}
