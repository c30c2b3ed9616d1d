/** Writing a text as it will be read, or as Markdown: the same text, and each browser remembers which. */
import { signal } from "@preact/signals";
import { remember, remembered } from "../ui/remembered.ts";

const NAME = "kbwork.writing";

export const isRich = signal(remembered(NAME) !== "markdown");

export function writeRich(on: boolean): void {
  isRich.value = on;
  remember(NAME, on ? null : "markdown");
}
