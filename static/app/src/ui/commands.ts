/** What can be done here and now, each with its keys: the keyboard, the palette and the help all read this. */
import { effect, signal } from "@preact/signals";
import { createKeybindingsHandler } from "tinykeys";
import { keysFor, pressed } from "./keys.ts";

export interface Command {
  readonly id: string;
  readonly title: string;
  /** As tinykeys has them, such as `$mod+k` or `g i`. */
  readonly keys?: readonly string[];
  readonly group: string;
  /** Whether it can be done now; left out: always. */
  readonly when?: () => boolean;
  /** It also works while a text is written. */
  readonly whileWriting?: boolean;
  readonly run: () => void;
}

export const commands = signal<readonly Command[]>([]);

/** Whatever covers the rest, such as a dialog: keys of one letter are its own meanwhile. */
export const covers = signal(0);

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/**
 * Have these as long as something is there. Answers what ends it. As an effect of layout: whoever sees a button may press
 * its key.
 */
export function offer(more: readonly Command[]): () => void {
  commands.value = [...commands.peek(), ...more];
  return () => {
    commands.value = commands.peek().filter((command) => !more.includes(command));
  };
}

export function available(): Command[] {
  return commands.value.filter((command) => command.when?.() ?? true);
}

/** `$mod+k` as people write it. */
export function written(keys: string): string {
  const names: Record<string, string> = {
    $mod: MAC ? "⌘" : "Ctrl", Shift: "Shift", Escape: "Esc", Space: "Space", Enter: "Enter",
    ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→",
  };
  return keys
    .split(" ")
    .map((press) => press.split("+").map((part) => names[part] ?? part.toUpperCase()).join("+"))
    .join(" then ");
}

/** So long the second key of two is waited for. */
const CHORD_MS = 1000;

export function listen(): void {
  let bound: ((event: KeyboardEvent) => void) | undefined;
  let begunAt = -CHORD_MS;
  effect(() => {
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    const first = new Set<string | undefined>();
    let isSecond = false;
    for (const command of commands.value) {
      for (const keys of keysFor(command.id, command.keys)) {
        const before = bindings[keys];
        const [begin, then] = keys.split(" ");
        if (then) first.add(begin);
        bindings[keys] = (event) => {
          // A key that is the second of two means nothing by itself, whether or not the two are for here.
          if (then || !isSecond) {
            if (fits(command, event)) {
              event.preventDefault();
              command.run();
            } else before?.(event);
          }
        };
      }
    }
    const hear = createKeybindingsHandler(bindings);
    if (bound) removeEventListener("keydown", bound);
    bound = (event) => {
      const press = pressed(event);
      if (press === undefined) return hear(event);
      isSecond = event.timeStamp - begunAt < CHORD_MS;
      begunAt = !isSecond && first.has(press) && isFree(event.target as HTMLElement) ? event.timeStamp : -CHORD_MS;
      hear(event);
    };
    addEventListener("keydown", bound);
  });
}

/** Whether letters are commands there: nothing is written, and nothing covers the rest. */
function isFree(target: HTMLElement): boolean {
  return !(writes(target) || covers.peek() > 0);
}

function writes(target: HTMLElement): boolean {
  return target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select");
}

function fits(command: Command, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || !(command.when?.() ?? true)) return false;
  const target = event.target as HTMLElement;
  return command.whileWriting || (isFree(target) && !isPressed(target, event.key));
}

/** Whether the key is for what has the focus: not where only a click brings it, as to a button in a row. */
function isPressed(target: HTMLElement, key: string): boolean {
  if (target.tabIndex < 0) return false;
  return (key === "Enter" && target.matches("a, button, summary")) || (key === " " && target.matches("button, summary, input"));
}
