/** The groups that somebody folded: of each, its head alone stands there. A list has its own, as long as the app is open. */
import { computed, signal } from "@preact/signals";
import type { Place } from "../ui/places.ts";
import { here } from "../ui/router.ts";

const NONE: ReadonlySet<string> = new Set();
const byList = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

/** Which list it is, however it is laid out. */
export function whereOf(place: Place): string {
  return JSON.stringify({ ...place, layout: undefined });
}

/** Those of the list that one looks at, by their paths. */
export const folded = computed(() => byList.value.get(whereOf(here.value)) ?? NONE);

export function setFolded(paths: Iterable<string>): void {
  byList.value = new Map(byList.peek()).set(whereOf(here.peek()), new Set(paths));
}
