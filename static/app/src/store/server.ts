/** The one client of the app, and what it is known by. */
import { kbwork, Problem, Unreachable } from "@kbwork/client";
import { hear } from "./clock.ts";

/** This browser, for as long as it remembers: what waited without a network is known by it. */
export const INSTALLATION = remembered("kbwork.installation", () => `web-${random()}`);

export const server = kbwork({
  name: `${INSTALLATION}/${random().slice(0, 6)}`,
  fetch: async (place, init) => hear(await fetch(place, init)),
});

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
