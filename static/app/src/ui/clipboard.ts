/** Copying. Pages by plain http have no clipboard: there the text is shown. */
import { say } from "./notes.tsx";
import { t } from "./texts.ts";

export function copy(text: string): void {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (!clipboard) return say(text);
  const [line = ""] = text.split("\n");
  void clipboard.writeText(text).then(() => say(t.copied(line)), () => say(text));
}
