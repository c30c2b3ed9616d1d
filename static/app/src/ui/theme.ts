/** Light or dark, as this browser's person wants it, or as the system has it. `theme.js`, which all pages have, puts it on. */
import { signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

const NAME = "kbwork.theme";
const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Undefined: the system's. */
export const theme = signal(named(remembered(NAME)));

addEventListener("storage", ({ key, newValue }) => {
  if (key === NAME) theme.value = named(newValue);
});

function named(text: string | null): Theme | undefined {
  return THEMES.find((one) => one === text);
}

export function setTheme(next: Theme | undefined): void {
  const newValue = next ?? null;
  remember(NAME, newValue);
  dispatchEvent(new StorageEvent("storage", { key: NAME, newValue })); // as browsers tell the other tabs
}
