/** Writing a text as it will be read, or as Markdown: the same text, and each browser remembers which. */
import { signal } from "@preact/signals";

const NAME = "kbwork.writing";

export const isRich = signal(kept() !== "markdown");

function kept(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null; // the browser keeps nothing
  }
}

export function writeRich(on: boolean): void {
  isRich.value = on;
  try {
    if (on) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, "markdown");
  } catch {
    // until the tab is closed, then
  }
}
