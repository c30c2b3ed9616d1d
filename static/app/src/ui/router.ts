/** Where one is: the address decides, so that every place can be linked to and gone back to. */
import { computed, signal } from "@preact/signals";

const address = signal(location.pathname + location.search);

addEventListener("popstate", () => {
  address.value = location.pathname + location.search;
});

export type Place =
  | { name: "mine" }
  | { name: "issues" }
  | { name: "project"; key: string; layout: "list" | "board" }
  | { name: "view"; id: number }
  | { name: "issue"; key: string }
  | { name: "room"; room: Room; path: readonly string[] }
  | { name: "nowhere" };

/** Screens that are fetched when somebody goes there. They read the rest of the address themselves. */
export type Room = (typeof ROOMS)[number];
const ROOMS = ["flags", "settings"] as const;

export const here = computed<Place>(() => placeOf(address.value));

/** Whether the app shows something there. */
export function isScreen(path: string): boolean {
  return placeOf(path).name !== "nowhere";
}

function placeOf(whole: string): Place {
  const [path = "/"] = whole.split(/[?#]/);
  const [, first = "", ...rest] = path.split("/").map(decoded);
  const [second = "", third = ""] = rest;
  if (!first) return { name: "mine" };
  const room = ROOMS.find((one) => one === first);
  if (room) return { name: "room", room, path: rest };
  if (first === "issues") return second ? { name: "issue", key: second.toUpperCase() } : { name: "issues" };
  if (first === "projects" && second) {
    return { name: "project", key: second.toUpperCase(), layout: third === "board" ? "board" : "list" };
  }
  if (first === "views" && /^[1-9]\d{0,14}$/.test(second)) return { name: "view", id: Number(second) };
  return { name: "nowhere" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that stands for itself
  }
}

/** What stands behind the question mark. */
export const query = computed(() => new URLSearchParams(address.value.split("?")[1] ?? ""));

/** The issue that is looked at beside the list. */
export const peeked = computed(() => query.value.get("peek"));

export function go(path: string, { replace = false } = {}): void {
  if (path === address.value) return;
  // Whoever came here from elsewhere does not go back there by a key.
  history[replace ? "replaceState" : "pushState"](replace ? history.state : { within: true }, "", path);
  address.value = path;
}

/** Where one was in the app; where one came from elsewhere, to this place. */
export function back(otherwise: string): void {
  if ((history.state as { within?: boolean } | null)?.within) history.back();
  else go(otherwise);
}

/** The address with some of what stands behind the question mark changed; null takes it away. */
export function withQuery(more: Readonly<Record<string, string | null>>): string {
  const [path = "/"] = address.peek().split("?");
  const next = new URLSearchParams(query.peek());
  for (const [name, value] of Object.entries(more)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next.size ? `${path}?${next}` : path;
}

/** Look at an issue beside the list, at another one, or at none. */
export function peek(key: string | null): void {
  go(withQuery({ peek: key }), { replace: peeked.peek() !== null && key !== null });
}

/** A link of the app stays within the page; anything else, and any click with a key held, is the browser's. */
export function onLink(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-in]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
