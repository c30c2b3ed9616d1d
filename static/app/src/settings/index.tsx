/** Settings: a list of places at the left, each of which is fetched when somebody goes there. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Icon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { followUndo } from "./parts/act.ts";
import { Prove } from "./parts/prove.tsx";
import { AdminsAlone, Operations } from "./parts/page.tsx";
import { fits, isHidden, OWN, PLACES } from "./places.ts";
import { isDismissed } from "./start/dismissed.ts";
import style from "./style.css";
import { s } from "./texts.ts";

export { style };

/** Where one is without saying so: at the first steps, until they were put aside. */
const first = (): string => (isDismissed() ? "org" : "start");

export function Screen({ path }: { path: readonly string[] }) {
  const [id = "", ...rest] = path.filter(Boolean);
  useEffect(followUndo, []);
  const place = PLACES.find((one) => one.id === (id || first()));
  useEffect(() => {
    document.querySelector(".settings .content")?.scrollTo(0, 0);
  }, [path.join("/")]);
  return (
    <>
      <TopBar title={t.rooms.settings}>
        {id !== "" && <a class="only-small back-link" data-in href="/settings">{s.allPlaces}</a>}
      </TopBar>
      <div class={`settings${id ? "" : " at-list"}`}>
        <Places at={place?.id} />
        <div class="content">
          {place === undefined ? (
            <div class="empty"><strong>{t.nowhere}</strong><p><a data-in href="/settings">{s.allPlaces}</a></p></div>
          ) : (
            <Operations.Provider value={place.ops}>
              {isHidden(place) ? <AdminsAlone title={place.title} what={place.what} /> : <Part key={place.id} of={place.page} props={{ rest }} />}
            </Operations.Provider>
          )}
        </div>
      </div>
      <Prove />
    </>
  );
}

function Places({ at }: { at: string | undefined }) {
  const [words, setWords] = useState("");
  const found = useMemo(() => PLACES.filter((one) => fits(words, one.title, one.what, one.words)), [words]);
  const own = OWN.filter((one) => fits(words, one.title, one.words));
  const groups = (Object.keys(s.groups) as (keyof typeof s.groups)[]).filter((group) => group !== "own");
  return (
    <nav class="places" aria-label={t.rooms.settings}>
      <input
        class="filter"
        type="search"
        aria-label={s.findSetting}
        placeholder={s.findSetting}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setWords("");
          if (event.key === "Enter" && words && found[0]) go(`/settings/${found[0].id}`);
        }}
      />
      {groups.map((group) => {
        const here = found.filter((one) => one.group === group);
        return here.length > 0 && (
          <section key={group}>
            <h2>{s.groups[group]}</h2>
            {here.map((one) => (
              <a class="place" key={one.id} data-in href={`/settings/${one.id}`} aria-current={one.id === at ? "page" : undefined}>
                <span class="grow cut">{one.title}</span>
                {isHidden(one) && <span class="meta">{s.forAdmins}</span>}
              </a>
            ))}
          </section>
        );
      })}
      {own.length > 0 && (
        <section>
          <h2>{s.groups.own}</h2>
          {own.map((one) => <a class="place" key={one.href} href={one.href}><span class="grow">{one.title}</span><Icon of="out" /></a>)}
        </section>
      )}
      {!found.length && !own.length && <p class="meta pad">{t.nothingFits}</p>}
    </nav>
  );
}
