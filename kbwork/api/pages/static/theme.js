// The theme that somebody chose in this browser, put on before anything is drawn; without one it is the system's.
"use strict";
{
  const NAME = "kbwork.theme";
  const DARK = "(prefers-color-scheme: dark)";
  const MEDIA = { dark: "all", light: "not all" };
  // What an extension of the browser lays into the page cannot be read.
  const own = [...document.styleSheets].filter(({ href }) => href?.startsWith(location.origin));
  // What the colours of the dark theme stand under, in the one sheet that has them.
  const rules = own.flatMap(({ cssRules }) => [...cssRules]).filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === DARK);
  let chosen = null;
  const wear = () => {
    document.documentElement.style.colorScheme = chosen in MEDIA ? chosen : "";
    const media = MEDIA[chosen] ?? DARK;
    for (const rule of rules) rule.media.mediaText = media;
    for (const source of document.querySelectorAll("picture > source")) source.media = media;
  };
  try {
    chosen = localStorage.getItem(NAME);
  } catch {
    // It keeps nothing.
  }
  wear();
  addEventListener("DOMContentLoaded", wear); // pictures have come meanwhile
  // In another tab, or by the app in this one.
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== NAME) return;
    chosen = newValue;
    wear();
  });
}
