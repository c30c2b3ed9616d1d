/** One space: what it opens with and what changed last, its tasks, what nobody looks after, and its settings. */
import { useEffect, useState } from "preact/hooks";
import type { BrokenLink, Page, PageSummary, PageTask, Space } from "@kbwork/client";
import { askPage } from "../issues/asked.ts";
import { nameOf } from "../issues/marks.tsx";
import { away, server } from "../store/server.ts";
import { may, offlineSince } from "../store/session.ts";
import { stars } from "../store/stars.ts";
import { Icon } from "../ui/icons.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { day, dayFromNow, exactly, t, when } from "../ui/texts.ts";
import { allows, fetchPage, found, moved } from "./known.ts";
import { Emblem } from "./marks.tsx";
import { star } from "./menu.tsx";
import { SpaceSettings } from "./settings.tsx";
import { words } from "./texts.ts";
import { aroundOf, tick } from "./topic.ts";

const MOST = 10;
export type Tab = keyof typeof words.tabs;

export const isTab = (word: string | undefined): word is Tab => word !== undefined && word in words.tabs;

/** Asked anew whenever something of pages changed. */
function useAsked<T>(ask: () => Promise<T>, of: string): { found: T | undefined; wrong: string | undefined } {
  const [told, setTold] = useState<{ of: string; found: T }>();
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    let late = false;
    ask().then(
      (found) => {
        if (late) return;
        setTold({ of, found });
        setWrong(undefined);
      },
      (error: unknown) => late || setWrong(away(error) ? t.noAnswer : (error as Error).message),
    );
    return () => {
      late = true;
    };
  }, [of, moved.value, offlineSince.value !== undefined]);
  return { found: told?.of === of ? told.found : undefined, wrong };
}

export function canWrite({ my_level, archived_at }: Space): boolean {
  return may("pages:write") && archived_at === null && allows(my_level, "edit");
}

export function SpaceActions({ space }: { space: Space }) {
  const on = stars.value.has(`space:${space.key}`);
  const title = on ? words.unstarIt(space.name) : words.starIt(space.name);
  return (
    <>
      <button type="button" class={on ? "mini turned" : "mini"} aria-pressed={on} aria-label={title} title={title} onClick={() => void star(`space:${space.key}`)}>
        <Icon of="star" />
      </button>
      {canWrite(space) && (
        <button type="button" class="primary" aria-label={t.newPage} onClick={() => askPage({ what: "make", space: space.key })}>
          <Icon of="plus" /><span class="wide-only">{t.newPage}</span> <kbd class="wide-only">N</kbd>
        </button>
      )}
    </>
  );
}

export function SpaceView({ space, tab }: { space: Space; tab: Tab }) {
  const manages = may("pages:write") && allows(space.my_level, "manage");
  const tabs = (Object.keys(words.tabs) as Tab[]).filter((one) => one !== "settings" || manages);
  return (
    <div class="space-view">
      {space.archived_at !== null && <p class="state" role="note">{words.archivedState}</p>}
      <nav class="tabs" aria-label={space.name}>
        {tabs.map((one) => (
          <a key={one} data-in href={`/spaces/${space.key}${one === "pages" ? "" : `/${one}`}`} aria-current={one === tab ? "page" : undefined}>{words.tabs[one]}</a>
        ))}
      </nav>
      {tab === "pages" && <Overview space={space} />}
      {tab === "tasks" && <Tasks space={space} />}
      {tab === "upkeep" && <Upkeep space={space} />}
      {tab === "settings" && manages && <SpaceSettings key={space.key} space={space} />}
    </div>
  );
}

function Overview({ space }: { space: Space }) {
  const { found: told, wrong } = useAsked(
    async () => {
      const [recent, drafts, home] = await Promise.all([
        server.pages.list({ space: space.key, limit: MOST }),
        server.pages.list({ space: space.key, state: "draft", limit: MOST }),
        space.home ? server.pages.get({ id: space.home }).catch(() => undefined) : undefined,
      ]);
      return { recent: recent.items, drafts: drafts.items, home };
    },
    `${space.key} ${space.home}`,
  );
  if (wrong && !told) return <p class="wrong">{wrong}</p>;
  if (!told) return <p class="meta late-word">{t.loading}</p>;
  if (!told.recent.length && !told.drafts.length) {
    return (
      <div class="empty">
        <strong>{words.emptySpace}</strong>
        <p>{canWrite(space) ? words.emptySpaceWhat : words.emptySpaceView}</p>
        {canWrite(space) && <button type="button" class="primary" onClick={() => askPage({ what: "make", space: space.key })}>{words.firstPage}</button>}
      </div>
    );
  }
  return (
    <>
      {space.description && <Markdown text={space.description} {...aroundOf(space.key)} />}
      {told.home && <Home page={told.home} />}
      {told.drafts.length > 0 && <List title={words.drafts} pages={told.drafts} />}
      <List title={words.recent} pages={told.recent.filter(({ state }) => state !== "draft")} />
    </>
  );
}

function Home({ page }: { page: Page }) {
  return (
    <section class="home" aria-label={page.title}>
      <h2 class="bar"><a class="cut grow" data-in href={page.path}>{page.title}</a></h2>
      <Markdown text={page.body} ticks={new Set()} {...aroundOf(page.space)} />
    </section>
  );
}

function List({ title, pages }: { title: string; pages: readonly PageSummary[] }) {
  if (!pages.length) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="lines">
        {pages.map((one) => (
          <li key={one.id} class="bar">
            <Emblem of={one.icon} />
            <a class="cut grow" data-in href={one.path} dir="auto">{one.title}</a>
            {one.state === "draft" && <span class="chip">{words.draft}</span>}
            <span class="meta wide-only">{nameOf(one.updated_by)}</span>
            <time class="meta" title={exactly(one.updated_at)}>{when(one.updated_at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tasks({ space }: { space: Space }) {
  const { found: tasks, wrong } = useAsked(() => server.pages.tasks({ space: space.key, done: false }), `tasks ${space.key}`);
  const titles = useAsked(() => server.pages.list({ space: space.key, limit: 200 }), `titles ${space.key}`);
  if (wrong) return <p class="wrong">{wrong}</p>;
  if (!tasks) return <p class="meta late-word">{t.loading}</p>;
  if (!tasks.length) return <div class="empty"><strong>{words.noTasks}</strong><p>{words.noTasksWhat}</p></div>;
  const pages = new Map(titles.found?.items.map((one) => [one.id, one]));
  const today = dayFromNow(0);
  const tickIt = async ({ page, line }: PageTask): Promise<void> => {
    await fetchPage(page);
    if (found.peek().has(page)) await tick(page, line);
  };
  return (
    <ul class="lines">
      {tasks.map((one) => {
        const page = pages.get(one.page);
        const canEdit = canWrite(space) && page !== undefined && allows(page.my_level, page.locked ? "manage" : "edit");
        return (
          <li key={`${one.page} ${one.line}`} class="bar">
            <input type="checkbox" checked={false} disabled={!canEdit} aria-label={words.tick(one.text)} onChange={() => void tickIt(one)} />
            <span class="grow task-text"><span dir="auto">{one.text}</span>{" "}<a class="meta" data-in href={`/pages/${one.page}`}>{page?.title ?? t.open}</a></span>
            {one.assignee && <span class="meta">{nameOf(one.assignee)}</span>}
            {one.due_date && <span class={one.due_date < today ? "due late" : "meta"}>{words.due(day(one.due_date))}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function Upkeep({ space }: { space: Space }) {
  const { found: told, wrong } = useAsked(
    async () => {
      const [stale, broken, archived, all] = await Promise.all([
        server.spaces.stale({ key: space.key }),
        server.pages.broken_links({ space: space.key }),
        server.pages.list({ space: space.key, state: "archived", limit: 50 }),
        server.pages.list({ space: space.key, limit: 200 }),
      ]);
      return { stale, broken, archived: archived.items, titles: new Map(all.items.map(({ id, title }) => [id, title])) };
    },
    `upkeep ${space.key}`,
  );
  if (wrong && !told) return <p class="wrong">{wrong}</p>;
  if (!told) return <p class="meta late-word">{t.loading}</p>;
  return (
    <>
      <p class="meta">{words.staleWhat}</p>
      {told.stale.length ? <List title={words.stale} pages={told.stale} /> : <p>{words.noStale}</p>}
      <section aria-label={words.broken}>
        <h2>{words.broken}</h2>
        {told.broken.length ? <Broken links={told.broken} titles={told.titles} /> : <p class="meta">{words.noBroken}</p>}
      </section>
      {told.archived.length > 0 && <List title={words.archivedPages} pages={told.archived} />}
    </>
  );
}

function Broken({ links, titles }: { links: readonly BrokenLink[]; titles: ReadonlyMap<string, string> }) {
  return (
    <ul class="lines">
      {links.map(({ page, target, why }) => (
        <li key={`${page} ${target}`} class="bar">
          <a class="cut grow" data-in href={`/pages/${page}`} dir="auto">{titles.get(page) ?? page}</a>
          <code class="cut">[[{target}]]</code>
          <span class="meta">{words.why[why]}</span>
        </li>
      ))}
    </ul>
  );
}
