/** Where one is: the address decides, so that every place can be linked to and gone back to. */
import { computed, signal } from "@preact/signals";
import { type Place, placeOf } from "./places.ts";

const address = signal(location.pathname + location.search);

addEventListener("popstate", () => {
  address.value = location.pathname + location.search;
});

/** Without what stands behind the question mark: who opens an issue beside a list is where they were. */
export const path = computed(() => address.value.split("?")[0] ?? "/");

export const here = computed<Place>(() => placeOf(path.value));

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
  go(link.pathname + link.search + link.hash);
}
