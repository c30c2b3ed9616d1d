/** Writing a text as it will be read, or as Markdown: the same text, and each browser remembers which. */
import { signal } from "@preact/signals";
import { Later, styled } from "../ui/later.tsx";

const NAME = "kbwork.writing";

export const Rich = new Later(async () => {
  const { RichText, style } = await import("../rich/index.tsx");
  return styled("rich", style, RichText);
});

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
