/** How far the tables are: up to which event everything is here, as who saw what stands for `access`. */
import { signal } from "@preact/signals";

export const place = { seq: -1, access: 0 };

/** How often everything was taken anew: what is not kept here may be otherwise, too. */
export const resets = signal(0);

const waiters = new Set<{ readonly seq: number; readonly go: () => void }>();

/** Everything up to this event is in the tables. */
export function reached(seq: number): void {
  place.seq = Math.max(place.seq, seq);
  for (const waiter of waiters) {
    if (waiter.seq > place.seq) continue;
    waiters.delete(waiter);
    waiter.go();
  }
}

/** Until what was just done is in the tables, or so long that one need not wait for it. */
export function until(seq: number, patienceMs = 2_000): Promise<void> {
  if (seq <= place.seq) return Promise.resolve();
  return new Promise((go) => {
    waiters.add({ seq, go });
    setTimeout(go, patienceMs);
  });
}
