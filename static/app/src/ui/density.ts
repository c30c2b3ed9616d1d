/** How close rows of lists stand, as this browser's person wants it. Where fingers point they stand as far apart as those need. */
import { computed, effect, signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

const NAME = "kbwork.rows";
const [USUAL_PX, CLOSE_PX] = [36, 28];

const wish = signal(remembered(NAME));
const fingers = matchMedia("(max-width: 767px), (pointer: coarse)");
const byFinger = signal(fingers.matches);
fingers.addEventListener("change", () => (byFinger.value = fingers.matches));

export const isClose = computed(() => wish.value === "close");
/** How high a row is. */
export const rowPx = computed(() => (isClose.value && !byFinger.value ? CLOSE_PX : USUAL_PX));

effect(() => document.documentElement.style.setProperty("--row", `${rowPx.value}px`));

export function turnDensity(): void {
  wish.value = isClose.peek() ? null : "close";
  remember(NAME, wish.peek());
}
