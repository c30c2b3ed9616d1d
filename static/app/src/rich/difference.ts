/** Where two texts differ, word by word. */
import { diffWordsWithSpace } from "diff";
import { type Change, changeOf } from "../ui/change.ts";

/** Longer differences are taken as one. */
const MOST_WORDS = 300;

/** From the first to the last. */
export function changesOf(before: string, text: string): Change[] {
  const whole = changeOf(before, text);
  const old = before.slice(whole.from, whole.to);
  const words = old && whole.text ? diffWordsWithSpace(old, whole.text, { maxEditLength: MOST_WORDS }) : undefined;
  if (!words) return old || whole.text ? [whole] : [];
  const found: Change[] = [];
  let at = whole.from;
  let open: { from: number; old: string; put: string } | undefined;
  const close = (): void => {
    if (open) {
      const { from, to, text: put } = changeOf(open.old, open.put);
      found.push({ from: open.from + from, to: open.from + to, text: put });
    }
    open = undefined;
  };
  for (const { value, added, removed } of words) {
    if (!added && !removed) close();
    else {
      open ??= { from: at, old: "", put: "" };
      if (added) open.put += value;
      else open.old += value;
    }
    if (!added) at += value.length;
  }
  close();
  return found;
}
