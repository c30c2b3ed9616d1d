/** Which keys do what, as this browser's person wants it: changed, or without those of one letter. */
import { signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

const NAME = "kbwork.keys";

interface Wanted {
  /** By the id of a command. */
  readonly changed: Readonly<Record<string, string>>;
  /** Keys of one letter do nothing: who speaks to the computer says letters. */
  readonly plain: boolean;
}

const USUAL: Wanted = { changed: {}, plain: true };

export const wanted = signal<Wanted>(kept());

function kept(): Wanted {
  try {
    return { ...USUAL, ...(JSON.parse(remembered(NAME) ?? "{}") as Partial<Wanted>) };
  } catch {
    return USUAL; // somebody wrote there by hand
  }
}

function keep(next: Wanted): void {
  wanted.value = next;
  remember(NAME, JSON.stringify(next));
}

export function setPlain(plain: boolean): void {
  keep({ ...wanted.value, plain });
}

/** Nothing: the usual ones. */
export function setKeys(command: string, keys: string | undefined): void {
  const { [command]: _, ...others } = wanted.value.changed;
  keep({ ...wanted.value, changed: keys ? { ...others, [command]: keys } : others });
}

/** Those of a command, the usual ones unless they were changed; none where they are switched off. */
export function keysFor(command: string, usual: readonly string[] = []): readonly string[] {
  const { changed, plain } = wanted.value;
  const own = changed[command];
  const all = own ? [own] : usual;
  return plain ? all : all.filter((keys) => !isPlain(keys));
}

/** Letters, digits and signs by themselves; not arrows, Enter, Space or Escape, which belong to lists. */
function isPlain(keys: string): boolean {
  return keys.split(" ").some((press) => /^(?:Shift\+)?.$/u.test(press));
}

/** What was pressed, as bindings have it; undefined: only a key that goes with others. */
export function pressed(event: KeyboardEvent): string | undefined {
  if (["Shift", "Control", "Alt", "Meta", "Dead"].includes(event.key)) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const held = [event.ctrlKey || event.metaKey ? "$mod" : "", event.altKey ? "Alt" : "", event.shiftKey && event.key.length > 1 ? "Shift" : ""];
  const shifted = event.shiftKey && /^\p{L}$/u.test(key) ? "Shift+" : "";
  return [...held.filter(Boolean), shifted + key].join("+");
}

/** Keys may be meant for the list: nothing has the focus, or only the link that led here. */
export function isIdle(): boolean {
  const on = document.activeElement;
  return on === document.body || (on?.matches(".rail a[aria-current]") ?? false);
}
