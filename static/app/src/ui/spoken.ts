/** What is read out to those who do not see where something went. */
import { signal } from "@preact/signals";

export const spoken = signal("");
