/** The line at the top of each screen: its name, and what can be done there. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "./icons.tsx";
import { t } from "./texts.ts";

/** Whether the rail is out, where it has no room of its own. */
export const railOpen = signal(false);

export function TopBar({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="top">
      <Menu />
      <h1 class="cut">{title}</h1>
      {children}
    </header>
  );
}

/** Where the rail has no room, it comes by this. */
export function Menu() {
  const turn = (): void => {
    railOpen.value = !railOpen.value;
  };
  return (
    <button type="button" class="mini menu" aria-label={t.navigation} aria-expanded={railOpen.value} onClick={turn}>
      <Icon of="menu" />
    </button>
  );
}
