/** Which addresses the app has, and what it shows there. */

/** How issues are laid out; what is no list is the last part of an address. */
export const LAYOUTS = ["list", "board", "table", "calendar", "timeline"] as const;
export type Layout = (typeof LAYOUTS)[number];

export type Place =
  | { name: "mine" }
  | { name: "issues" }
  | { name: "project"; key: string; layout: Layout }
  | { name: "sprint"; id: number; layout: Layout }
  | { name: "view"; id: number }
  | { name: "issue"; key: string }
  | { name: "room"; room: Room; path: readonly string[] }
  | { name: "nowhere" };

/** Screens that are fetched when somebody goes there. They read the rest of the address themselves. */
export type Room = (typeof ROOMS)[number];
const ROOMS = ["boards", "flags", "inbox", "pages", "requests", "search", "settings"] as const;

/** What the worker says to the pages of the app: somebody clicked on what was pushed. */
export interface ToPages {
  readonly open: string;
}

/** Whether the app shows something there. */
export function isScreen(path: string): boolean {
  return placeOf(path).name !== "nowhere";
}

export function placeOf(whole: string): Place {
  const [path = "/"] = whole.split(/[?#]/);
  const [, first = "", ...rest] = path.split("/").map(decoded);
  const [second = "", third = ""] = rest;
  if (!first) return { name: "mine" };
  const room = ROOMS.find((one) => one === first);
  if (room === "pages" || first === "spaces") return { name: "room", room: "pages", path: [first, ...rest] };
  if (room) return { name: "room", room, path: rest };
  if (first === "issues") return second ? { name: "issue", key: second.toUpperCase() } : { name: "issues" };
  if (first === "projects" && !second) return { name: "room", room: "settings", path: ["projects"] };
  const layout = layoutOf(third);
  if (first === "projects") return { name: "project", key: second.toUpperCase(), layout };
  const id = /^[1-9]\d{0,14}$/.test(second) ? Number(second) : undefined;
  if (first === "sprints" && id) return { name: "sprint", id, layout };
  if (first === "views" && id) return { name: "view", id };
  return { name: "nowhere" };
}

export function layoutOf(name: string | undefined): Layout {
  return LAYOUTS.find((one) => one === name) ?? "list";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that stands for itself
  }
}
