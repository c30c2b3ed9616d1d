/** Everything that fits some words, of every kind: what one looks for at the top, what narrows it below, then the hits. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { SearchHit } from "@kbwork/client";
import { holdInRoom, inRoom } from "../issues/cursor.ts";
import { partOf } from "../issues/lanes.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { offer } from "../ui/commands.ts";
import { Icon, LaneIcon } from "../ui/icons.tsx";
import { isScreen } from "../ui/places.ts";
import { go, peek, peeked } from "../ui/router.ts";
import { exactly, number, t, when } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { type Filter, hasFilter, pieces, withFilter, withoutFilters } from "./asked.ts";
import { ask, at, counts, cursor, forgetOthers, found, hits, look, more, move, text } from "./known.ts";
import style from "./style.css";
import { w } from "./texts.ts";

export { style };

/** So long somebody goes on typing. */
const CALM_MS = 180;
/** Of so many the server counts kinds and projects. */
const MOST_COUNTED = 2_000;
const FILTERS: readonly Filter[] = ["kind", "in", "is"];

export function Screen() {
  const asked = text.value;
  useLayoutEffect(forgetOthers, []);
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    const timer = setTimeout(() => void ask(), found.peek() ? CALM_MS : 0);
    return () => clearTimeout(timer);
  }, [asked, isAway]);
  useLayoutEffect(() => holdInRoom(keyAtCursor), []);
  useEffect(() => {
    const key = inRoom.value;
    if (key && peeked.peek() !== null) peek(key);
  }, [inRoom.value]);
  useKeys();
  return (
    <>
      <TopBar title={w.title}>
        <Field asked={asked} />
        <span class="grow" />
        <Count />
      </TopBar>
      {asked.trim() && <Narrow asked={asked} />}
      {found.value?.isAway && asked && <p class="offline" role="status">{w.away}</p>}
      <Hits />
    </>
  );
}

function keyAtCursor(): string | undefined {
  const on = at.value;
  return on?.kind === "issue" ? tables.issue.watch(idOf(on))?.key : undefined;
}

function Field({ asked }: { asked: string }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <input
      ref={box}
      class="filter looked-for"
      type="search"
      aria-label={w.field}
      placeholder={w.hint}
      value={asked}
      autocomplete="off"
      onInput={(event) => look(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown" && event.key !== "Escape")) return;
        event.preventDefault();
        if (event.key !== "Escape" && !at.peek()) move(1);
        (document.querySelector<HTMLElement>(".hits") ?? document.getElementById("main"))?.focus();
      }}
    />
  );
}

function Count() {
  const [whole, now] = [counts.value, found.value];
  if (!text.value.trim() || !now || now.isAway) return null;
  const sum = Object.values(whole?.text === now.text ? whole.facets["kind"] ?? {} : {}).reduce((all, one) => all + one, 0);
  const count = sum || now.hits.length;
  return (
    <>
      <span class="meta count" role="status">{w.found(Math.min(count, MOST_COUNTED), count > MOST_COUNTED || (!sum && now.next !== null))}</span>
      {now.tql !== null && <a class="plain-link" data-in href={`/issues?${new URLSearchParams({ tql: now.tql })}`}>{w.asList}</a>}
    </>
  );
}

/** Buttons that put filters into what is looked for; what is typed there is pressed here. */
function Narrow({ asked }: { asked: string }) {
  const facets = counts.value?.facets ?? {};
  const kinds = withChosen(facets["kind"], asked, "kind");
  const projects = withChosen(facets["project"], asked, "in");
  return (
    <div class="narrow">
      {kinds.length > 0 && (
        <Group label={w.kinds}>
          {kinds.map(([kind, count]) => <Chip key={kind} asked={asked} filter="kind" value={kind} title={w.kind[kind] ?? kind} count={count} />)}
        </Group>
      )}
      {projects.length > 0 && (
        <Group label={w.projects}>
          {projects.map(([key, count]) => <Chip key={key} asked={asked} filter="in" value={key} title={tables.project.watch(key)?.name ?? key} count={count} />)}
        </Group>
      )}
      <Group label={w.states}>
        {Object.entries(w.state).map(([state, title]) => <Chip key={state} asked={asked} filter="is" value={state} title={title} />)}
      </Group>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="bar wraps" role="group" aria-label={label}>{children}</div>;
}

interface ChipProps {
  readonly asked: string;
  readonly filter: Filter;
  readonly value: string;
  readonly title: string;
  readonly count?: number;
}

function Chip({ asked, filter, value, title, count }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={hasFilter(asked, filter, value)} onClick={() => look(withFilter(asked, filter, value))}>
      <span class="cut" dir="auto">{title}</span>
      {count !== undefined && <span class="meta">{number(count)}</span>}
    </button>
  );
}

/** Those that there are, most first, and what is chosen though there is none of it. */
function withChosen(facet: Readonly<Record<string, number>> | undefined, asked: string, filter: Filter): [string, number][] {
  const all = Object.entries(facet ?? {}).sort(([, one], [, other]) => other - one);
  const others = filter === "kind" ? Object.keys(w.kind) : tables.project.all().map(({ key }) => key);
  return [...all, ...others.filter((one) => facet?.[one] === undefined && hasFilter(asked, filter, one)).map((one): [string, number] => [one, 0])];
}

function Hits() {
  const box = useRef<HTMLDivElement>(null);
  const [all, asked, now, on] = [hits.value, text.value.trim(), found.value, cursor.value];
  useEffect(() => {
    box.current?.querySelector(".hit.on")?.scrollIntoView({ block: "nearest" });
  }, [on]);
  if (asked && !now) return <p class="meta pad late-word">{t.loading}</p>;
  if (!all.length) return <Nothing asked={asked} wrong={asked ? now?.wrong : undefined} />;
  const active = all.findIndex(({ subject }) => subject === on);
  return (
    <>
      {!asked && <p class="meta pad">{w.recent}</p>}
      <div class="hits" role="grid" tabIndex={0} ref={box} aria-label={asked ? w.results : w.recent} aria-activedescendant={active < 0 ? undefined : domId(all[active]!)}>
        {all.map((hit) => <Hit key={hit.subject} hit={hit} isOn={hit.subject === on} />)}
        {asked && now?.next && (
          <div role="row">
            <span role="gridcell"><button type="button" class="plain" onClick={() => void more()}>{w.more}</button></span>
          </div>
        )}
      </div>
    </>
  );
}

function Nothing({ asked, wrong }: { asked: string; wrong: string | undefined }) {
  if (!asked) return <div class="empty"><strong>{w.begin}</strong><p>{w.beginWhat}</p></div>;
  if (wrong) return <p class="empty"><strong>{wrong}</strong></p>;
  const wide = withoutFilters(asked, FILTERS);
  return (
    <div class="empty">
      <strong>{w.nothing}</strong>
      <p>{w.nothingWhat}</p>
      {wide && wide !== asked && <button type="button" onClick={() => look(wide)}>{w.withoutFilters}</button>}
    </div>
  );
}

function Hit({ hit, isOn }: { hit: SearchHit; isOn: boolean }) {
  const issue = hit.kind === "issue" ? tables.issue.watch(idOf(hit)) : undefined;
  const lane = issue && tables.lane.watch(issue.lane);
  const key = hit.kind === "issue" ? hit.path.split("/").at(-1)! : undefined;
  // That of an issue begins with its key, which stands below with the rest.
  const title = issue?.title ?? (key && hit.title.startsWith(`${key} `) ? hit.title.slice(key.length + 1) : hit.title);
  const project = hit.project === null ? undefined : (tables.project.watch(hit.project)?.name ?? hit.project);
  return (
    <div class={`hit${isOn ? " on" : ""}`} id={domId(hit)} role="row" aria-selected={isOn} onClick={() => (cursor.value = hit.subject)} onDblClick={() => follow(hit)}>
      <span role="gridcell" class="bar">
        {lane ? <LaneIcon lane={lane} part={partOf(lane)} /> : <Icon of={markOf(hit.kind)} />}
        <a class="title cut" href={hit.path} data-in={isScreen(hit.path)} tabIndex={-1} dir="auto">{title}</a>
        <span class="grow" />
        <time class="meta" title={exactly(hit.updated_at)}>{when(hit.updated_at)}</time>
      </span>
      {hit.excerpt && <span role="gridcell" class="said-of" dir="auto">{pieces(hit.excerpt).map(({ text, isMarked }, place) => (isMarked ? <mark key={place}>{text}</mark> : text))}</span>}
      <span role="gridcell" class="meta">{[w.kindOf[hit.kind] ?? hit.kind, key, hit.within, project, lane?.name ?? hit.status].filter(Boolean).join(" · ")}</span>
    </div>
  );
}

function markOf(kind: string): Parameters<typeof Icon>[0]["of"] {
  const marks = { issue: "check", page: "page", comment: "comment", attachment: "clip", project: "project", space: "page", member: "mine", team: "mine", view: "view", board: "board", flag: "flag" } as const;
  return marks[kind as keyof typeof marks] ?? "search";
}

const idOf = ({ subject }: SearchHit): number => Number(subject.split(":")[1]);

/** Choices of fields come up at the row of their issue, which is known by its id. */
const domId = (hit: SearchHit): string => (hit.kind === "issue" ? `issue-${idOf(hit)}` : `hit-${hit.subject}`);

/** Some places are pages of the server and no screens of the app. */
function follow({ path }: SearchHit): void {
  if (isScreen(path)) go(path);
  else location.assign(path);
}

function useKeys(): void {
  useLayoutEffect(() => {
    const has = (): boolean => at.peek() !== undefined;
    return offer([
      { id: "search:field", title: w.toField, group: w.group, keys: ["/"], run: () => document.querySelector<HTMLElement>(".looked-for")?.focus() },
      { id: "search:down", title: w.next, group: w.group, keys: ["j", "ArrowDown"], run: () => move(1) },
      { id: "search:up", title: w.previous, group: w.group, keys: ["k", "ArrowUp"], run: () => move(-1) },
      { id: "search:open", title: w.open, group: w.group, keys: ["Enter", "o"], when: has, run: () => follow(at.peek()!) },
      { id: "search:peek", title: w.peek, group: w.group, keys: ["Space"], when: () => at.peek()?.kind === "issue", run: () => peek(peeked.peek() === null ? (inRoom.peek() ?? null) : null) },
    ]);
  }, []);
}
