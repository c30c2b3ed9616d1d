/** What time it is: the server's, where the clock of this machine goes wrong. */

/** What an answer's second, its way here and ordinary drift may make: less than this is no wrong clock. */
const TOLERATED_MS = 90_000;
let offMs = 0;

/** Learn from an answer when the server gave it. */
export function hear(answer: Response): Response {
  const given = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isNaN(given)) {
    const off = given - Date.now();
    offMs = Math.abs(off) < TOLERATED_MS ? 0 : off;
  }
  return answer;
}

/** Milliseconds since 1970. */
export function nowMs(): number {
  return Date.now() + offMs;
}

export function today(): Date {
  return new Date(nowMs());
}
