/** What the manual says of where one is, and which keys do what there; each can be changed, and those of one letter switched off. */
import { useMemo, useState } from "preact/hooks";
import { dismiss } from "../issues/asked.ts";
import { available, type Command, written } from "../ui/commands.ts";
import { keysFor, pressed, setKeys, setPlain, wanted } from "../ui/keys.ts";
import { Layer } from "../ui/layer.tsx";
import type { Place, Room } from "../ui/places.ts";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

const OF_ROOMS: Readonly<Record<Room, string>> = { boards: "howto-boards", flags: "flags-app", inbox: "howto-notifications", pages: "pages-app", requests: "howto-desk", search: "howto-app", settings: "howto-settings" };
const OF_PLACES: Partial<Record<Place["name"], string>> = { issue: "issues", sprint: "sprints", view: "howto-views" };

/** The page of the manual that is about where one is. */
function manualOf(place: Place): string {
  return `/docs/${place.name === "room" ? OF_ROOMS[place.room] : (OF_PLACES[place.name] ?? "howto-app")}`;
}

export function Help() {
  const groups = useMemo(() => Map.groupBy(available(), (one) => one.group), []);
  const { plain, changed } = wanted.value;
  return (
    <Layer label={t.help} kind="dialog" onClose={dismiss}>
      <h2 tabIndex={-1} autofocus>{t.help}</h2>
      <p class="meta">{t.keysWhat}</p>
      <div class="keys">
        {[...groups].map(([group, commands]) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>{commands.map((command) => <Line key={command.id} command={command} isChanged={command.id in changed} />)}</ul>
          </section>
        ))}
      </div>
      <div class="bar">
        <label>
          <input type="checkbox" checked={plain} onChange={(event) => setPlain(event.currentTarget.checked)} /> {t.plainKeys}
        </label>
        <span class="grow" />
        <a class="in-text" href={manualOf(here.value)} target="_blank">{t.manualOfHere}</a>
        <button type="button" class="primary" onClick={dismiss}>{t.close}</button>
      </div>
    </Layer>
  );
}

function Line({ command: { id, title, keys: usual }, isChanged }: { command: Command; isChanged: boolean }) {
  const [asks, setAsks] = useState(false);
  const [keys] = keysFor(id, usual);
  return (
    <li class="bar">
      <span class="grow">{title}</span>
      {isChanged && <button type="button" class="plain small" onClick={() => setKeys(id, undefined)}>{t.usualKeys}</button>}
      <button
        type="button"
        class="key-choice"
        aria-label={t.changeKeys(title, keys ? written(keys) : t.none)}
        onClick={() => setAsks(true)}
        onBlur={() => setAsks(false)}
        onKeyDown={(event) => {
          if (!asks || event.key === "Tab") return;
          event.preventDefault();
          event.stopPropagation();
          const found = pressed(event);
          if (!found) return;
          if (found !== "Escape") setKeys(id, found);
          setAsks(false);
        }}
      >
        {asks ? t.pressKeys : <kbd>{keys ? written(keys) : "–"}</kbd>}
      </button>
    </li>
  );
}
