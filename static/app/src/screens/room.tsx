/** Screens that are fetched when somebody goes there, each with its style. */
import type { ComponentType } from "preact";
import { Later, styled } from "../ui/later.tsx";
import type { Room } from "../ui/places.ts";

interface RoomProps {
  /** What of the address stands behind the name of the room, decoded. */
  readonly path: readonly string[];
}

/** What the `index.tsx` of a room exports. */
interface RoomModule {
  readonly Screen: ComponentType<RoomProps>;
  readonly style: string;
}

export const ROOMS: Record<Room, Later<RoomProps>> = {
  boards: room("boards", () => import("../boards/index.tsx")),
  flags: room("flags", () => import("../flags/index.tsx")),
  inbox: room("inbox", () => import("../inbox/index.tsx")),
  pages: room("pages", () => import("../pages/index.tsx")),
  requests: room("desk", () => import("../desk/index.tsx")),
  search: room("search", () => import("../search/index.tsx")),
  settings: room("settings", () => import("../settings/index.tsx")),
};

function room(name: string, load: () => Promise<RoomModule>): Later<RoomProps> {
  return new Later(async () => {
    const { Screen, style } = await load();
    return styled(name, style, Screen);
  });
}
