/** The one client of the app, and what it is known by. */
import { kbwork, Problem, Unreachable } from "@kbwork/client";
import { signal } from "@preact/signals";
import { hear } from "./clock.ts";
import { place } from "./place.ts";

/** This browser, for as long as it remembers: what waited without a network is known by it. */
export const INSTALLATION = remembered("kbwork.installation", () => `web-${random()}`);

/** What this tab did last: between which events it happened, as far as is known here. */
export const ownWrites = signal<readonly { readonly since: number; readonly until: number }[]>([]);

const MOST_WRITES = 20;
/** What is said as a page goes arrives all the same. */
const LAST_WORDS = /\/presence\.beat$/;
/** What brings no issue into a list: while it is on its way, others may. */
const QUIET = /\/(?:activity|ai|auth|drafts|notifications|presence|stars)\.\w+$/;

export const server = kbwork({
  name: `${INSTALLATION}/${random().slice(0, 6)}`,
  fetch: async (address, init) => {
    const since = place.seq;
    const answer = hear(await fetch(address, { ...init, keepalive: LAST_WORDS.test(String(address)) }));
    const until = Number(answer.headers.get("x-kb-seq"));
    if (isAct(String(address), init) && until > since) ownWrites.value = [...ownWrites.peek(), { since, until }].slice(-MOST_WRITES);
    return answer;
  },
});

/** Of several calls in one, those that take something back: the others look. */
function isAct(address: string, init: RequestInit | undefined): boolean {
  if (!new Headers(init?.headers).has("Idempotency-Key") || QUIET.test(address)) return false;
  return !address.endsWith("/api.batch") || String(init?.body).includes('"undo.apply"');
}

export function random(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function remembered(name: string, make: () => string): string {
  try {
    const found = localStorage.getItem(name) ?? make();
    localStorage.setItem(name, found);
    return found;
  } catch {
    return make(); // the browser keeps nothing
  }
}

/** It is the way that is closed, or the server that is not up: the same may go well later. */
export function away(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Problem && (error.status >= 500 || error.status === 429));
}
