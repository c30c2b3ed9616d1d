/** What customers are called, who are too many to be kept: asked for when one is shown, those of a moment together. */
import { signal } from "@preact/signals";
import { server } from "./server.ts";

const PREFIX = "customer:";
const MOST = 100;

const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
let next: string[] = [];

export const isCustomer = (id: string): boolean => id.startsWith(PREFIX);

/** Undefined until it came, and where the customer is not seen. */
export function outsiderName(id: string): string | undefined {
  if (isCustomer(id) && !asked.has(id)) {
    asked.add(id);
    if (!next.length) queueMicrotask(() => void ask());
    next.push(id);
  }
  return names.value.get(id);
}

/** Somebody else is here. */
export function forgetOutsiders(): void {
  asked.clear();
  names.value = new Map();
}

async function ask(): Promise<void> {
  const refs = next;
  next = [];
  for (let at = 0; at < refs.length; at += MOST) {
    const some = refs.slice(at, at + MOST);
    try {
      const found = await server.subjects.resolve({ refs: some });
      names.value = new Map([...names.peek(), ...found.flatMap(({ ref, title }) => (title === null ? [] : [[ref, title] as const]))]);
    } catch {
      for (const id of some) asked.delete(id); // they are asked for again when they are drawn anew
    }
  }
}
