/** Light or dark, as this browser's person wants it, or as the system has it. */
import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

const NAME = "kbwork.theme";
const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Undefined: the system's. */
export const theme = signal(THEMES.find((one) => one === remembered(NAME)));

const DARK = "(prefers-color-scheme: dark)";
/** What an extension of the browser lays into the page cannot be read. */
const own = [...document.styleSheets].filter(({ href }) => href?.startsWith(location.origin));
/** What the colours of the dark theme stand under, in the one sheet that has them. */
const rules = own.flatMap(({ cssRules }) => [...cssRules]).filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === DARK) as CSSMediaRule[];

effect(() => {
  document.documentElement.style.colorScheme = theme.value ?? "";
  for (const { media } of rules) media.mediaText = theme.value ? (theme.value === "dark" ? "all" : "not all") : DARK;
});

export function setTheme(next: Theme | undefined): void {
  theme.value = next;
  remember(NAME, next ?? null);
}
