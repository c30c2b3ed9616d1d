/** The issues that a room lists, such as a queue of requests: it says which, in which order, and what stands beside them. */
import type { ComponentType } from "preact";
import { computed, signal } from "@preact/signals";
import { here } from "../ui/router.ts";

interface Listed {
  /** Which list of the room it is. */
  readonly name: string;
  /** Ids of issues with their place; null: they are to come. */
  readonly places: ReadonlyMap<number, number> | null;
  readonly Beside: ComponentType<{ readonly id: number }>;
  /** What is said where there is none. */
  readonly empty: string;
  /** They stand as the room says, and not as people group and sort them. */
  readonly fixed?: boolean;
}

/** Set by a room for as long as it is shown. */
export const listing = signal<Listed | undefined>(undefined);

export const listed = computed(() => (here.value.name === "room" ? listing.value : undefined));
