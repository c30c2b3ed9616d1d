/** What time it is: the server's, where the clock of this machine goes wrong. */

import { signal } from "@preact/signals";

/** What an answer's second, its way here and ordinary drift may make: less than this is no wrong clock. */
const TOLERATED_MS = 90_000;
/** What two answers may differ by: less than this changes nothing that is drawn. */
const SAME_MS = 5_000;
const offMs = signal(0);

/** Learn from an answer when the server gave it. */
export function hear(answer: Response): Response {
  const given = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isNaN(given)) {
    const off = given - Date.now();
    const is = Math.abs(off) < TOLERATED_MS ? 0 : off;
    if (is === 0 || Math.abs(is - offMs.peek()) > SAME_MS) offMs.value = is;
  }
  return answer;
}

/** Milliseconds since 1970. What was drawn by another clock is drawn anew. */
export function nowMs(): number {
  return Date.now() + offMs.value;
}

export function today(): Date {
  return new Date(nowMs());
}
