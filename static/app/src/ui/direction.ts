/** Which way lines run, as this browser's person reads: from left to right, or turned. */
import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

const NAME = "kbwork.direction";

const isTurned = signal(remembered(NAME) === "rtl");

effect(() => {
  document.documentElement.dir = isTurned.value ? "rtl" : "ltr";
});

export function turnDirection(): void {
  isTurned.value = !isTurned.peek();
  remember(NAME, isTurned.peek() ? "rtl" : null);
}

/** Steps along a line, for a key that points to the right by so many: what follows stands to the left where lines are turned. */
export function aside(by: number): number {
  return isTurned.peek() ? -by : by;
}
