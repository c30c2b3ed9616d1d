/** The inbox: what waits for somebody at the left, what it is about beside it. */
import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Notification } from "@kbwork/client";
import { holdInRoom } from "../issues/cursor.ts";
import { nameOf, Who } from "../issues/marks.tsx";
import { FlagChange, IssueView } from "../screens/parts.tsx";
import { inboxMoved } from "../store/inbox.ts";
import { tables } from "../store/tables.ts";
import { isIdle } from "../ui/keys.ts";
import { Part } from "../ui/later.tsx";
import { go } from "../ui/router.ts";
import { exactly, t, when } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { useInboxCommands } from "./commands.ts";
import { cursor, entries, goOn, load, loadMore, next, open, read, readAll, show, type State, state, wrong } from "./entries.ts";
import { askMute, askSnooze, setDone } from "./acts.ts";
import { Proposed } from "./proposed.tsx";
import { Settings } from "./settings.tsx";
import style from "./style.css";
import { eventOf, whyOf } from "./reasons.ts";
import { useSwipe } from "./swipe.ts";
import { words } from "./texts.ts";

export { style };

export function Screen({ path }: { path: readonly string[] }) {
  return path[0] === "settings" ? <Settings /> : <Inbox />;
}

function Inbox() {
  const moved = inboxMoved.value;
  useEffect(() => void load(), [moved]);
  useEffect(() => goOn, []);
  useInboxCommands();
  const found = useComputed(() => entries.value?.find((one) => one.id === cursor.value));
  useLayoutEffect(() => holdInRoom(() => found.value && keyOf(found.value)), []);
  const entry = found.value;
  return (
    <>
      <TopBar title={words.inbox}>
        <div class="switch" role="group" aria-label={words.inbox}>
          {(Object.keys(words.states) as State[]).map((one) => (
            <button key={one} type="button" class="plain" aria-pressed={state.value === one} onClick={() => show(one)}>{words.states[one]}</button>
          ))}
        </div>
        <span class="grow" />
        <button type="button" class="plain wide-only" onClick={() => void readAll()}>{words.allRead}</button>
        <a class="plain-link" data-in href="/inbox/settings">{words.settings}</a>
      </TopBar>
      {state.value === "unread" && !entry && <Proposed />}
      <div class={entry ? "inbox looking" : "inbox"}>
        <List />
        <section class="about" aria-label={entry?.title ?? words.choose}>
          {entry ? <About key={entry.id} entry={entry} /> : <p class="empty meta">{words.choose}</p>}
        </section>
      </div>
    </>
  );
}

function List() {
  const all = entries.value;
  const box = useRef<HTMLDivElement>(null);
  const on = cursor.value;
  useEffect(() => {
    document.getElementById(`entry-${on}`)?.scrollIntoView({ block: "nearest" });
    if (on !== undefined && isIdle()) box.current?.focus({ preventScroll: true });
  }, [on]);
  if (wrong.value) return <p class="entries pad wrong">{words.wrong}</p>;
  if (!all) return <p class="entries pad meta late-word">{t.loading}</p>;
  if (!all.length) {
    const ofUnread = state.value === "unread";
    return (
      <div class="entries empty">
        <strong>{ofUnread ? words.empty : words.emptyOthers}</strong>
        {ofUnread && <p>{words.emptyWhat}</p>}
      </div>
    );
  }
  return (
    <div class="entries" role="grid" tabIndex={0} ref={box} aria-label={words.inbox} aria-activedescendant={on === undefined ? undefined : `entry-${on}`}>
      {all.map((entry) => <Line key={entry.id} entry={entry} on={entry.id === on} />)}
      {next.value && (
        <div role="row">
          <span role="gridcell"><button type="button" class="plain" onClick={() => void loadMore()}>{words.more}</button></span>
        </div>
      )}
    </div>
  );
}

function Line({ entry, on }: { entry: Notification; on: boolean }) {
  const told = eventOf(entry);
  const row = useSwipe({ back: () => setDone(entry), on: (it) => askSnooze(entry, it) });
  return (
    <div
      ref={row}
      data-done={entry.state === "archived" ? words.undone : words.done}
      data-later={words.snooze}
      class={`entry${on ? " on" : ""}${entry.state === "unread" ? " unread" : ""}`}
      id={`entry-${entry.id}`}
      role="row"
      aria-selected={on}
      onClick={() => open(entry)}
    >
      <span role="gridcell" class="who"><Who id={told?.actor} /></span>
      <span role="gridcell" class="grow">
        <span class="bar">
          <span class="cut grow name" dir="auto">{entry.title}</span>
          <time class="meta" title={exactly(entry.at)}>{when(entry.at)}</time>
        </span>
        <span class="cut said-of meta" dir="auto">{told ? [byWhom(told), told.summary].filter(Boolean).join(" ") : ""}</span>
        <span class="meta why">{whyOf(entry)}{entry.events.length > 1 && ` · ${words.moreCame(entry.events.length - 1)}`}</span>
      </span>
    </div>
  );
}

/** What a day brings nobody did. */
function byWhom({ actor, seq }: Notification["events"][number]): string | undefined {
  return seq === null ? undefined : nameOf(actor);
}

function keyOf({ subject }: Notification): string | undefined {
  const [kind, ref] = subject.split(":");
  return kind === "issue" ? tables.issue.watch(Number(ref))?.key : undefined;
}

function About({ entry }: { entry: Notification }) {
  const key = keyOf(entry);
  const change = changeAt(entry.path);
  return (
    <>
      <div class="bar acts">
        <button type="button" class="back only-small" onClick={() => (cursor.value = undefined)}>{t.close}</button>
        <button type="button" onClick={() => setDone(entry)}>
          {entry.state === "archived" ? words.undone : words.done} <kbd class="wide-only">E</kbd>
        </button>
        <button type="button" class="plain" onClick={(event) => askSnooze(entry, event.currentTarget)}>{words.snooze} <kbd class="wide-only">H</kbd></button>
        <button type="button" class="plain" onClick={() => void read(entry, entry.state === "unread")}>
          {entry.state === "unread" ? words.read : words.unread} <kbd class="wide-only">U</kbd>
        </button>
        <button type="button" class="plain" onClick={(event) => askMute(entry, event.currentTarget)}>{words.mute}</button>
        <span class="grow" />
        <span class="meta">{words.whyYou(whyOf(entry))}</span>
      </div>
      <ol class="news">
        {entry.events.map((event) => (
          <li key={`${event.seq}-${event.at}-${event.kind}`} class="bar">
            <Who id={event.actor} />
            <span class="grow" dir="auto"><strong>{byWhom(event)}</strong> {event.summary}</span>
            <time class="meta" title={exactly(event.at)}>{when(event.at)}</time>
          </li>
        ))}
      </ol>
      {key && <Part of={IssueView} props={{ asked: key }} />}
      {change && <Part key={entry.id} of={FlagChange} props={change} />}
      {!key && !change && <p class="pad"><button type="button" class="primary" onClick={() => go(entry.path)}>{words.open}</button></p>}
    </>
  );
}

function changeAt(path: string): { project: string; id: number } | undefined {
  const [, project, id] = /^\/flags\/([^/]+)\/changes\/(\d+)$/.exec(path) ?? [];
  return project === undefined ? undefined : { project: decodeURIComponent(project), id: Number(id) };
}

