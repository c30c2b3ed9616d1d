/** Spaces and their pages: what is known is written down here, and found again. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Page } from "@kbwork/client";
import { signal } from "@preact/signals";
import { askPage } from "../issues/asked.ts";
import { me, may } from "../store/session.ts";
import { Talk } from "../talk/talk.tsx";
import { offer } from "../ui/commands.ts";
import { back, go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { Menu } from "../ui/topbar.tsx";
import { pathTo } from "./branches.ts";
import { PageDialogs } from "./dialogs.tsx";
import { History } from "./history.tsx";
import { byAddress, edits, fetchPage, fetchSpaces, fetchTree, type Found, spaceOf, spaces, trees, useFetched } from "./known.ts";
import { useLive } from "./live.ts";
import { Emblem } from "./marks.tsx";
import { Actions, copyLink, editing, watch } from "./menu.tsx";
import { PageView } from "./page.tsx";
import { canWrite, isTab, SpaceActions, SpaceView, type Tab } from "./space.tsx";
import { Spaces } from "./spaces.tsx";
import style from "./style.css";
import { words } from "./texts.ts";
import { Tree } from "./tree.tsx";

export { style };
export { PageDialog } from "./make.tsx";

/** Where the tree has no room beside the page it comes by a button. */
const treeOut = signal(false);

interface At {
  /** Key of the space that is looked at. */
  readonly space?: string;
  readonly tab: Tab;
  /** Id of the page that is looked at, or `KEY/slug`. */
  readonly page?: string;
  readonly history: boolean;
}

function placeOf([first, ...rest]: readonly string[]): At {
  const [second = "", third = "", fourth] = rest;
  const none = { tab: "pages", history: false } as const;
  if (first === "spaces") return second ? { ...none, space: second.toUpperCase(), tab: isTab(third) ? third : "pages" } : none;
  if (!second) return none;
  if (/^\d+$/.test(second)) return { ...none, page: second, history: third === "history" };
  return { ...none, page: `${second.toUpperCase()}/${third}`, history: fourth === "history" };
}

export function Screen({ path }: { path: readonly string[] }) {
  const at = placeOf(path);
  useLive();
  const whole = at.page === undefined ? undefined : byAddress(at.page);
  // While one goes from page to page the tree stays.
  const last = useRef<string>(undefined);
  const [named] = at.page?.includes("/") ? at.page.split("/") : [];
  const key = at.space ?? whole?.page.space ?? (named && spaceOf(named)?.key) ?? (at.page === undefined ? undefined : last.current);
  last.current = key;
  const wrongSpaces = useFetched(fetchSpaces, "spaces");
  const wrongTree = useFetched(key === undefined ? undefined : () => fetchTree(key), `tree:${key}`);
  const wrongPage = useFetched(at.page === undefined ? undefined : () => fetchPage(at.page!), `page:${at.page}`);
  useKeys(whole?.page, at);
  useTitle(whole?.page.title ?? (key === undefined ? t.rooms.pages : (spaceOf(key)?.name ?? key)));
  useEffect(() => {
    treeOut.value = false;
    document.querySelector(".scope-pages .content")?.scrollTo(0, 0);
  }, [path.join("/")]);
  return (
    <Talk>
      {at.page === undefined && at.space === undefined ? <Spaces wrong={wrongSpaces} /> : <Space at={at} spaceKey={key} whole={whole} wrong={wrongPage ?? wrongTree} />}
      <PageDialogs />
    </Talk>
  );
}

interface SpaceProps {
  readonly at: At;
  /** Undefined: it is not known yet in which the page is. */
  readonly spaceKey: string | undefined;
  readonly whole: Found | undefined;
  readonly wrong: string | undefined;
}

/** A space, or a page of it, with the tree beside it. */
function Space({ at, spaceKey: key, whole, wrong }: SpaceProps) {
  const space = key === undefined ? undefined : spaceOf(key);
  const isLost = at.space !== undefined && spaces.value !== undefined && !space;
  const above = whole ? pathTo(trees.value.get(whole.page.space) ?? [], whole.page.id).slice(0, -1) : [];
  return (
    <>
      <header class="top">
        <Menu />
        <nav class="crumbs bar grow" aria-label={words.breadcrumbs}>
          <a data-in href="/spaces">{t.rooms.pages}</a>
          {space && at.page !== undefined && <><span aria-hidden="true">/</span><a class="cut" data-in href={`/spaces/${space.key}`}>{space.name}</a></>}
          {above.map(({ id, title }) => <span class="bar crumb" key={id}><span aria-hidden="true">/</span><a class="cut" data-in href={`/pages/${id}`}>{title}</a></span>)}
          {space && at.page === undefined && <><span aria-hidden="true">/</span>{space.icon && <Emblem of={space.icon} />}<h1 class="cut" dir="auto">{space.name}</h1></>}
        </nav>
        {whole && !at.history && editing.value !== whole.page.id && <Actions page={whole.page} />}
        {space && at.page === undefined && <SpaceActions space={space} />}
      </header>
      <div class={treeOut.value ? "room tree-out" : "room"}>
        {space && (
          <aside class="side" aria-label={words.tree}>
            <button type="button" class="plain tree-turn" aria-expanded={treeOut.value} onClick={() => (treeOut.value = !treeOut.value)}>
              {treeOut.value ? words.hideTree : words.showTree}
            </button>
            <div class="branches"><Tree space={space.key} at={whole?.page.id} canEdit={canWrite(space)} /></div>
          </aside>
        )}
        <div class="content">
          {isLost || (wrong && !whole && !space) || (wrong && at.page !== undefined && !whole) ? (
            <Lost at={at} why={isLost ? words.noSpace(at.space!) : wrong!} />
          ) : at.page === undefined ? (
            space ? <SpaceView space={space} tab={at.tab} /> : <p class="meta pad late-word">{t.loading}</p>
          ) : !whole ? (
            <p class="meta pad late-word">{t.loading}</p>
          ) : at.history ? (
            <History page={whole.page} />
          ) : (
            <PageView whole={whole} />
          )}
        </div>
      </div>
    </>
  );
}

/** Where a link led that leads to no page yet it can be written. */
function Lost({ at, why }: { at: At; why: string }) {
  const [key = "", slug] = at.page?.split("/") ?? [];
  const space = slug ? spaceOf(key) : undefined;
  return (
    <div class="empty">
      <h1>{why}</h1>
      <p>{why === words.noPage && words.noPageWhat}</p>
      {space && canWrite(space) && <p><button type="button" class="primary" onClick={() => askPage({ what: "make", space: key })}>{t.newPage}</button></p>}
      <p class="below"><a data-in href="/spaces">{words.toSpaces}</a></p>
    </div>
  );
}

function useKeys(page: Page | undefined, { space, history }: At): void {
  const key = space ?? page?.space;
  const id = page?.id;
  useLayoutEffect(() => {
    const now = (): Page | undefined => (id === undefined ? undefined : byAddress(id)?.page);
    const reads = (): boolean => now() !== undefined && !history && editing.peek() !== id;
    const here = key === undefined ? undefined : spaceOf(key);
    return offer([
      { id: "pages:edit", title: words.edit, group: words.group, keys: ["e"], when: () => reads() && edits(now()!), run: () => (editing.value = id) },
      {
        id: "pages:new", title: t.newPage, group: words.group, keys: ["n"],
        when: () => may("pages:write") && editing.peek() === undefined,
        run: () => askPage({ what: "make", ...(here && { space: here.key }), ...(id && { parent: id }) }),
      },
      { id: "pages:tree", title: words.focusTree, group: words.group, keys: ["t"], when: () => key !== undefined, run: focusTree },
      { id: "pages:comment", title: words.writeComment, group: words.group, keys: ["m"], when: reads, run: () => document.querySelector<HTMLElement>(".write textarea")?.focus() },
      { id: "pages:history", title: words.history, group: words.group, keys: ["h"], when: reads, run: () => go(`/pages/${id}/history`) },
      { id: "pages:watch", title: words.watch, group: words.group, keys: ["w"], when: reads, run: () => void watch(now()!) },
      { id: "pages:link", title: words.copyLink, group: words.group, keys: ["y"], when: reads, run: () => copyLink(now()!) },
      { id: "pages:back", title: words.backToPage, group: words.group, keys: ["Escape"], when: () => history, run: () => back(`/pages/${id}`) },
    ]);
  }, [key, id, history]);
}

function focusTree(): void {
  treeOut.value = true;
  queueMicrotask(() => document.querySelector<HTMLElement>('.tree [tabindex="0"]')?.focus());
}

/** Behind that of the frame, which names the room. */
function useTitle(name: string): void {
  const org = me.value?.org.name ?? t.app;
  useEffect(() => {
    queueMicrotask(() => (document.title = `${name} · ${org}`));
  }, [name, org]);
}
