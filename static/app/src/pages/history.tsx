/** What a page was: its versions, what each of them changed, and one of them once more. */
import { useEffect, useState } from "preact/hooks";
import type { Page, PageDiff, PageVersion } from "@kbwork/client";
import { nameOf, Who } from "../issues/marks.tsx";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { go } from "../ui/router.ts";
import { exactly, t, when } from "../ui/texts.ts";
import { done } from "./act.ts";
import { Difference } from "./difference.tsx";
import { edits, moved } from "./known.ts";
import { words } from "./texts.ts";

const MOST = 50;

export function History({ page }: { page: Page }) {
  const [versions, setVersions] = useState<readonly PageVersion[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [at, setAt] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const isAway = offlineSince.value !== undefined;
  const fetch = async (cursor: string | null): Promise<void> => {
    try {
      const { items, next: more } = await server.pages.versions({ id: page.id, limit: MOST, cursor });
      setVersions((before) => (cursor ? [...before, ...items] : items));
      setNext(more);
      setWrong(undefined);
    } catch (error) {
      setWrong(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  useEffect(() => void fetch(null), [page.id, page.seq, isAway, moved.value]);
  const chosen = versions.find(({ version }) => version === at) ?? versions[0];
  const before = chosen && versions[versions.indexOf(chosen) + 1];
  return (
    <article class="page-text history" aria-label={words.history}>
      <h1 dir="auto">{page.title}</h1>
      <p class="meta"><a data-in href={`/pages/${page.id}`}>{words.backToPage}</a></p>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      <div class="versions-and-one">
        <section aria-label={words.versions}>
          <ol class="versions">
            {versions.map((one) => (
              <li key={one.version}>
                <button type="button" class="plain version" aria-pressed={one === chosen} onClick={() => setAt(one.version)}>
                  <Who id={one.who} />
                  <span class="grow">
                    <strong>{nameOf(one.who)}</strong> <span class="meta" title={exactly(one.at)}>{when(one.at)}</span>
                    {one.note && <span class="meta cut note-of">{one.note}</span>}
                  </span>
                  {one.version === page.version && <span class="chip">{words.now}</span>}
                  {!one.published && <span class="chip">{words.notPublished}</span>}
                </button>
              </li>
            ))}
          </ol>
          {next && <button type="button" class="plain" onClick={() => void fetch(next)}>{words.older}</button>}
        </section>
        {chosen && <Version key={`${chosen.version} ${before?.version}`} page={page} chosen={chosen} before={before} />}
      </div>
    </article>
  );
}

function Version({ page, chosen, before }: { page: Page; chosen: PageVersion; before: PageVersion | undefined }) {
  const [now, setNow] = useState(false);
  const [diff, setDiff] = useState<PageDiff>();
  const [wrong, setWrong] = useState<string>();
  const isLast = chosen.version === page.version;
  const from = now ? chosen.version : before?.version;
  useEffect(() => {
    if (from === undefined) return;
    let late = false;
    const to = now ? {} : { to: chosen.version };
    server.pages.version_diff({ id: page.id, from, ...to }).then(
      (told) => late || setDiff(told),
      (error: unknown) => late || setWrong(away(error) ? t.noAnswer : (error as Error).message),
    );
    return () => {
      late = true;
    };
  }, [page.id, from, chosen.version, now]);
  const restore = async (): Promise<void> => {
    if (await done(words.restored(chosen.version), "pages.version_restore", { id: page.id, version: chosen.version })) go(`/pages/${page.id}`);
  };
  return (
    <section class="grow" aria-label={words.compare}>
      <div class="bar wraps">
        <h2 class="grow">{words.version(chosen.version)}</h2>
        {!isLast && (
          <label class="bar meta"><input type="checkbox" checked={now} onChange={() => setNow(!now)} /> {words.compareWith}</label>
        )}
        {!isLast && edits(page) && <button type="button" onClick={() => void restore()}>{words.restore}</button>}
      </div>
      {wrong && <p class="wrong">{wrong}</p>}
      {from === undefined ? <p class="meta">{words.firstVersion}</p> : diff && <Difference hunks={diff.hunks} />}
    </section>
  );
}
