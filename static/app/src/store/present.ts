/** Who is where: who looks at a thing, or writes on it, as the stream tells. */
import { signal } from "@preact/signals";
import type { PresentOn } from "@kbwork/client";

/** By the thing, such as `issue:12`, those who are there, whoever came first before the others. */
export const present = signal<ReadonlyMap<string, PresentOn["people"]>>(new Map());

export function tellPresent({ subject, people }: PresentOn): void {
  const next = new Map(present.peek());
  if (people.length) next.set(subject, people);
  else next.delete(subject);
  present.value = next;
}
