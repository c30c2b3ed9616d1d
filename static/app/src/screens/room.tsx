/** Screens that are fetched when somebody goes there, each with its style. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { offlineSince } from "../store/session.ts";
import type { Room as RoomName } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

/** What the `index.tsx` of a room exports. `path` is what of the address stands behind its name, decoded. */
interface RoomModule {
  readonly Screen: ComponentType<{ path: readonly string[] }>;
  readonly style: string;
}

const LOADS: Record<RoomName, () => Promise<RoomModule>> = {
  flags: () => import("../flags/index.tsx"),
  settings: () => import("../settings/index.tsx"),
};
const loaded = new Map<RoomName, RoomModule>();

async function load(room: RoomName): Promise<RoomModule> {
  const found = await LOADS[room]();
  if (!loaded.has(room)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(found.style);
    document.adoptedStyleSheets.push(sheet);
    loaded.set(room, found);
  }
  return found;
}

export function Room({ room, path }: { room: RoomName; path: readonly string[] }) {
  const [, setCame] = useState<RoomName>();
  const [wrong, setWrong] = useState(false);
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    if (loaded.has(room)) return;
    let late = false;
    setWrong(false);
    load(room).then(() => late || setCame(room), () => late || setWrong(true));
    return () => {
      late = true;
    };
  }, [room, isAway]);
  const Screen = loaded.get(room)?.Screen;
  if (Screen) return <Screen path={path} />;
  return wrong ? <p class="empty"><strong>{t.roomAbsent}</strong></p> : <p class="meta pad late-word">{t.loading}</p>;
}
