/** The keys of the inbox, as long as it is shown. */
import { useLayoutEffect } from "preact/hooks";
import { type Command, offer } from "../ui/commands.ts";
import { go } from "../ui/router.ts";
import { askSnooze, setDone } from "./acts.ts";
import { at, cursor, move, read } from "./entries.ts";
import { words } from "./texts.ts";

const has = (): boolean => at() !== undefined;

/** Where the choices come up. */
function anchor(): Element {
  return document.querySelector(".about .acts") ?? document.body;
}

const COMMANDS: readonly Command[] = [
  { id: "inbox:down", title: words.next, group: words.group, keys: ["j", "ArrowDown"], run: () => move(1) },
  { id: "inbox:up", title: words.previous, group: words.group, keys: ["k", "ArrowUp"], run: () => move(-1) },
  { id: "inbox:done", title: words.done, group: words.group, keys: ["e"], when: has, run: () => setDone(at()!) },
  { id: "inbox:snooze", title: words.snooze, group: words.group, keys: ["h"], when: has, run: () => askSnooze(at()!, anchor()) },
  { id: "inbox:unread", title: words.unread, group: words.group, keys: ["u"], when: has, run: () => void read(at()!, at()!.state === "unread") },
  { id: "inbox:open", title: words.open, group: words.group, keys: ["Enter", "o"], when: has, run: () => go(at()!.path) },
  { id: "inbox:back", title: words.toInbox, group: words.group, keys: ["Escape"], when: has, run: () => (cursor.value = undefined) },
];

export function useInboxCommands(): void {
  useLayoutEffect(() => offer(COMMANDS), []);
}
