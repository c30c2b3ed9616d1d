/** Copying. Pages by plain http have no clipboard: there it is said instead. */
import { say } from "./notes.tsx";
import { t } from "./texts.ts";

/** `done` is said where it went; `instead` where it did not: what was to be copied, unless that is a secret. */
export function copy(text: string, done: string = t.copied(text.split("\n")[0] ?? ""), instead: string = text): void {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (!clipboard) return say(instead);
  void clipboard.writeText(text).then(() => say(done), () => say(instead));
}
