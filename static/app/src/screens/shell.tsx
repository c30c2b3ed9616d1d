/** The frame: places at the left, where one is in the middle, an issue that is looked at beside it. */
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { waiting } from "../store/changes.ts";
import { atWork } from "../store/desks.ts";
import { unread } from "../store/inbox.ts";
import { ended, may, me, myId, offlineSince, ready } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Icon } from "../ui/icons.tsx";
import { Notes } from "../ui/notes.tsx";
import { LAYOUTS, type Place } from "../ui/places.ts";
import { here, onLink, peek, peeked } from "../ui/router.ts";
import { compare, number, t } from "../ui/texts.ts";
import { Menu, railOpen, TopBar } from "../ui/topbar.tsx";
import { WordFilter } from "../ui/word_filter.tsx";
import { asked, create, newProject, newSprint, openHelp, openPalette } from "../issues/asked.ts";
import { Board } from "../issues/board.tsx";
import { selected } from "../issues/cursor.ts";
import { IssueList } from "../issues/list.tsx";
import { Who } from "../issues/marks.tsx";
import { doneCount, shown, showsDone, words } from "../issues/query.ts";
import { open } from "../issues/sprints.ts";
import { FilterBar } from "../filter/bar.tsx";
import { answer } from "../filter/answer.ts";
import { layout, projectPath, setLayout, terms, tql } from "../filter/state.ts";
import { view, wrong } from "../filter/view.ts";
import { ViewMenu } from "../filter/view_menu.tsx";
import { Part } from "../ui/later.tsx";
import { Bulk, Dialogs, IssueView, Laid, SprintHead } from "./parts.tsx";
import { ROOMS } from "./room.tsx";
import { StarredThings } from "./starred.tsx";

/** Of those that run or are to come. */
const MOST_SPRINTS = 6;

export function Shell() {
  const place = here.value;
  const key = peeked.value;
  if (ended.value !== undefined) return <p class="empty"><strong>{t.ended}</strong></p>;
  return (
    <div class={`shell${key ? " peeking" : ""}${railOpen.value ? " rail-open" : ""}`} onClick={onLink}>
      <a class="skip" href="#main">{t.skip}</a>
      <Rail />
      <main id="main" tabIndex={-1}>
        <Offline />
        {ready.value ? <Content /> : <p class="meta pad late-word">{t.loading}</p>}
      </main>
      {key && ready.value && place.name !== "issue" && (
        <aside class="peek" aria-label={key}>
          <Part of={IssueView} props={{ asked: key, onClose: () => peek(null) }} />
        </aside>
      )}
      {asked.value && <Part of={Dialogs} props={{ asked: asked.value }} above />}
      <Notes />
    </div>
  );
}

function Content() {
  const place = here.value;
  const name = useComputed(titleOf);
  useEffect(() => {
    document.title = `${name.value} · ${me.value?.org.name ?? t.app}`;
  }, [name.value, me.value]);
  if (place.name === "room") return <Part key={place.room} of={ROOMS[place.room]} props={{ path: place.path }} />;
  if (place.name === "issue") {
    return (
      <>
        <header class="top only-small"><Menu /><span class="meta">{place.key}</span></header>
        <div class="page"><Part of={IssueView} props={{ asked: place.key }} /></div>
      </>
    );
  }
  if (!isThere(place)) {
    return (
      <div class="empty">
        <h1>{t.nowhere}</h1>
        <p><a data-in href="/">{t.goMine}</a></p>
      </div>
    );
  }
  return (
    <>
      <Top title={name.value} />
      {place.name === "sprint" && <Part key={place.id} of={SprintHead} props={{ id: place.id }} />}
      <FilterBar />
      <Notices />
      <LaidOut />
      {selected.value.size > 0 && <Part of={Bulk} props={{}} />}
    </>
  );
}

function LaidOut() {
  if (layout.value === "list") return <IssueList />;
  return layout.value === "board" ? <Board /> : <Part of={Laid} props={{ as: layout.value }} />;
}

function isThere(place: Place): boolean {
  if (place.name === "project") return tables.project.watch(place.key) !== undefined;
  if (place.name === "sprint") return tables.sprint.watch(place.id) !== undefined;
  if (place.name === "view") return tables.view.watch(place.id) !== undefined;
  return place.name !== "nowhere";
}

function titleOf(): string {
  const place = here.value;
  if (place.name === "mine") return t.mine;
  if (place.name === "issues") return t.issues;
  if (place.name === "issue") return place.key;
  if (place.name === "project") return tables.project.watch(place.key)?.name ?? place.key;
  if (place.name === "sprint") return tables.sprint.watch(place.id)?.name ?? t.nowhere;
  if (place.name === "view") return tables.view.watch(place.id)?.name ?? t.nowhere;
  if (place.name === "room") return t.rooms[place.room];
  return t.nowhere;
}

/** What one should know of the view that one looks at. */
function Notices() {
  const refused = terms.value === undefined && answer.value?.tql === tql.value ? answer.value.wrong : undefined;
  const ofView = view.value || here.value.name === "view" ? [wrong.value, ...(view.value?.notices ?? [])] : [];
  const notices = [...ofView, refused].filter((one) => one !== undefined);
  return <>{notices.map((notice) => <p class="offline" role="status" key={notice}>{notice}</p>)}</>;
}

function Top({ title }: { title: string }) {
  return (
    <TopBar title={title}>
      <ViewMenu />
      <div class="switch" role="group" aria-label={t.layout}>
        {LAYOUTS.map((one) => (
          <button key={one} type="button" class="plain" aria-pressed={layout.value === one} onClick={() => setLayout(one)}>{t[one]}</button>
        ))}
      </div>
      <span class="grow" />
      <span class="meta count">{t.issuesCount(shown.value.length - (layout.value === "board" || showsDone.value ? 0 : doneCount.value))}</span>
      <WordFilter words={words} list=".list, .board, .laid" />
      {tables.project.all().length > 0 && (
        <button type="button" class="primary" aria-label={t.newIssue} onClick={() => create()}>
          <Icon of="plus" />
          <span class="wide-only">{t.newIssue}</span>
          <kbd class="wide-only">C</kbd>
        </button>
      )}
    </TopBar>
  );
}

function Rail() {
  const place = here.value;
  useEffect(() => {
    railOpen.value = false;
  }, [place]);
  const projects = tables.project
    .all()
    .filter((project) => project.archived_at === null)
    .sort((one, other) => compare(one.name, other.name));
  const at = place.name === "project" ? place.key : undefined;
  const sprint = place.name === "sprint" ? place.id : undefined;
  const view = place.name === "view" ? place.id : undefined;
  const room = place.name === "room" ? place.room : undefined;
  const views = tables.view.all().sort((one, other) => compare(one.name, other.name));
  return (
    <nav class="rail" aria-label={t.navigation} onClick={() => (railOpen.value = false)}>
      <p class="org cut">{me.value?.org.name ?? t.app}</p>
      <button type="button" class="place" onClick={openPalette}>
        <Icon of="search" />
        <span class="grow">{t.toSearch}</span>
        <kbd>/</kbd>
      </button>
      {may("notifications:read") && (
        <a class="place" data-in href="/inbox" aria-current={room === "inbox" ? "page" : undefined}>
          <Icon of="inbox" />
          <span class="grow">{t.rooms.inbox}</span>
          {unread.value > 0 && <span class="unread-count" aria-label={t.unread(unread.value)}>{number(unread.value)}</span>}
        </a>
      )}
      <a class="place" data-in href="/" aria-current={place.name === "mine" ? "page" : undefined}>
        <Icon of="mine" />
        {t.mine}
      </a>
      <a class="place" data-in href="/issues" aria-current={place.name === "issues" ? "page" : undefined}>
        <Icon of="all" />
        {t.issues}
      </a>
      {may("boards:read") && (
        <a class="place" data-in href="/boards" aria-current={room === "boards" ? "page" : undefined}>
          <Icon of="board" />
          {t.rooms.boards}
        </a>
      )}
      {atWork.value.length > 0 && (
        <a class="place" data-in href="/requests" aria-current={room === "requests" ? "page" : undefined}>
          <Icon of="comment" />
          {t.rooms.requests}
        </a>
      )}
      {may("pages:read") && (
        <a class="place" data-in href="/spaces" aria-current={room === "pages" ? "page" : undefined}>
          <Icon of="page" />
          {t.rooms.pages}
        </a>
      )}
      {may("flags:read") && (
        <a class="place" data-in href="/flags" aria-current={room === "flags" ? "page" : undefined}>
          <Icon of="flag" />
          {t.rooms.flags}
        </a>
      )}
      <StarredThings />
      <h2 class="bar">
        <span class="grow">{t.projects}</span>
        {may("projects:write") && (
          <button type="button" class="mini" aria-label={t.newProject} title={t.newProject} onClick={newProject}>
            <Icon of="plus" />
          </button>
        )}
      </h2>
      {projects.map(({ key, name }) => (
        <a class="place" key={key} data-in href={projectPath(key)} aria-current={key === at ? "page" : undefined}>
          <Icon of="project" />
          <span class="cut" dir="auto">{name}</span>
        </a>
      ))}
      {tables.sprint.size > 0 && (
        <h2 class="bar">
          <span class="grow">{t.sprints}</span>
          {may("sprints:write") && (
            <button type="button" class="mini" aria-label={t.newSprint} title={t.newSprint} onClick={newSprint}>
              <Icon of="plus" />
            </button>
          )}
        </h2>
      )}
      {open.value.slice(0, MOST_SPRINTS).map(({ id, name }) => (
        <a class="place" key={id} data-in href={`/sprints/${id}`} aria-current={id === sprint ? "page" : undefined}>
          <Icon of="sprint" />
          <span class="cut" dir="auto">{name}</span>
        </a>
      ))}
      {views.length > 0 && <h2>{t.views}</h2>}
      {views.map(({ id, name }) => (
        <a class="place" key={id} data-in href={`/views/${id}`} aria-current={id === view ? "page" : undefined}>
          <Icon of="view" />
          <span class="cut" dir="auto">{name}</span>
        </a>
      ))}
      {!projects.length && ready.value && <p class="meta pad">{t.noProjects}</p>}
      <span class="grow" />
      <button type="button" class="place" onClick={openHelp}>
        <Icon of="help" />
        <span class="grow">{t.help}</span>
        <kbd>?</kbd>
      </button>
      <a class="place" data-in href="/settings" aria-current={room === "settings" ? "page" : undefined}>
        <Icon of="settings" />
        {t.rooms.settings}
      </a>
      <a class="place" href="/connect">
        <Icon of="link" />
        {t.connect}
      </a>
      <a class="place" href="/docs">
        <Icon of="page" />
        {t.manual}
      </a>
      <a class="place" href="/account">
        <span class="icon" aria-hidden="true"><Who id={myId.value} /></span>
        <span class="cut" dir="auto">{me.value?.member.name ?? t.account}</span>
      </a>
    </nav>
  );
}

function Offline() {
  if (offlineSince.value === undefined) return null;
  return <p class="offline" role="status">{t.offline(waiting.value.length)}</p>;
}
