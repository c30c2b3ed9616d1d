/** One line from which everything is found and done. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { projectPath } from "../filter/state.ts";
import { dismiss, runOperation } from "../issues/asked.ts";
import { partOf } from "../issues/lanes.ts";
import { recent } from "../issues/recent.ts";
import { inOrder } from "../issues/sprints.ts";
import { Emblem } from "../pages/marks.tsx";
import { server } from "../store/server.ts";
import { starred } from "../store/stars.ts";
import { tables } from "../store/tables.ts";
import { Combobox } from "../ui/combobox.tsx";
import { available, type Command, written } from "../ui/commands.ts";
import { Icon, LaneIcon } from "../ui/icons.tsx";
import { keysFor } from "../ui/keys.ts";
import { Layer } from "../ui/layer.tsx";
import { rankBy } from "../ui/match.ts";
import { isScreen } from "../ui/places.ts";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { type Operation, operations } from "./operations.ts";

const MOST = 12;

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly mark?: JSX.Element;
  readonly hint?: string;
  readonly keys?: string | undefined;
  /** By what else it is looked for. */
  readonly also?: string;
  readonly run: () => void;
}

export function Palette() {
  const [text, setText] = useState("");
  /** The entry that is on, where somebody went to it: what comes meanwhile does not move it. */
  const [chosen, setChosen] = useState<string>();
  const [far, setFar] = useState<readonly Entry[]>([]);
  // What can be done is what could be done before this opened.
  const commands = useMemo(() => available().filter((command) => command.id !== "palette").sort(byUse).map(entryOf), []);
  const [all, setAll] = useState<readonly Operation[]>([]);
  const [settings, setSettings] = useState<readonly Entry[]>([]);
  /** Whatever could fit is here: before that, who types on and presses Enter would look for the name of a command. */
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    // Without them it has all the rest.
    void Promise.allSettled([operations().then(setAll), settingsPages().then(setSettings)]).then(() => setWhole(true));
  }, []);
  const near = useMemo(() => found(text, commands, settings), [text, commands, settings]);
  const runnable = useMemo(() => operationsFor(text, all), [text, all]);
  const entries = [...near, ...far.filter((one) => !near.some((other) => other.id === one.id)), ...runnable, ...(isWhole ? whole(text) : [])];
  const on = Math.max(0, entries.findIndex((entry) => entry.id === chosen));
  useEffect(() => {
    if (text.trim().length < 3) return setFar([]);
    let late = false;
    const timer = setTimeout(() => void search(text).then((more) => late || setFar(more), () => late || setFar([])), 150);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text]);
  const run = (entry: Entry): void => {
    dismiss();
    queueMicrotask(entry.run); // behind the focus, which goes back to where it was
  };
  return (
    <Layer label={t.search} kind="palette" onClose={dismiss}>
      <Combobox
        label={t.search}
        text={text}
        onText={setText}
        entries={entries}
        on={on}
        onMove={(to) => setChosen(to ? entries[to]?.id : undefined)}
        onTake={run}
        keyOf={(entry) => entry.id}
        isSelected={(_, at) => at === on}
      >
        {(entry) => (
          <>
            {entry.mark ?? <span class="mark" />}
            <span class="grow cut" dir="auto">{entry.title}</span>
            {entry.hint && <span class="meta cut" dir="auto">{entry.hint}</span>}
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </>
        )}
      </Combobox>
    </Layer>
  );
}

/** Everything that fits, on a page of its own. */
function whole(text: string): Entry[] {
  const asked = text.trim();
  if (!asked) return [];
  return [{ id: "search", title: t.allThatFits(asked), hint: t.toSearch, mark: <Icon of="search" />, run: () => go(`/search?${new URLSearchParams({ q: asked })}`) }];
}

/** What the server can do besides, by its name or by words of what it does. */
function operationsFor(text: string, all: readonly Operation[]): Entry[] {
  if (text.trim().length < 2) return [];
  const fits = rankBy(text, all, ({ id, title }) => `${title} ${id.replace(".", " ")} ${id}`).slice(0, MOST);
  return fits.map((operation) => ({
    id: `operation:${operation.id}`,
    title: operation.title,
    hint: operation.id,
    mark: <Icon of="out" />,
    run: () => runOperation(operation),
  }));
}

/** What is in hand first, then what can be done anywhere; moving about, which keys do, and how it looks come last. */
const USE: Readonly<Record<string, number>> = { [t.issue]: -1, [t.commands.list]: 1, [t.commands.look]: 2 };

function byUse(one: Command, other: Command): number {
  return (USE[one.group] ?? 0) - (USE[other.group] ?? 0);
}

function entryOf({ id, title, keys, group, run }: Command): Entry {
  const [first] = keysFor(id, keys);
  return { id, title, hint: group, keys: first && written(first), run };
}

/** Every page of settings that one may see, wherever one is. */
async function settingsPages(): Promise<Entry[]> {
  const { isHidden, OWN, PLACES, titleInAll } = await import("../settings/places.ts");
  const hint = t.rooms.settings;
  const mark = <Icon of="settings" />;
  return [
    ...PLACES.filter((one) => !isHidden(one)).map(({ id, title, words }) => ({ id: `settings:${id}`, title: titleInAll(title), also: words, hint, mark, run: () => go(`/settings/${id}`) })),
    ...OWN.map(({ href, title, words }) => ({ id: href, title: titleInAll(title), also: words, hint, mark, run: () => location.assign(href) })),
  ];
}

function found(text: string, commands: readonly Entry[], settings: readonly Entry[]): Entry[] {
  if (!text.trim()) return [...recent().map(entryOfIssue), ...commands];
  const projects = tables.project.all().map<Entry>(({ key, name }) => ({
    id: `project:${key}`,
    title: name,
    hint: t.project,
    mark: <Icon of="project" />,
    run: () => go(projectPath(key)),
  }));
  const sprints = inOrder.value.map<Entry>(({ id, name, projects: of }) => ({
    id: `sprint:${id}`,
    title: name,
    hint: [t.sprint, ...of].join(" · "),
    mark: <Icon of="sprint" />,
    run: () => go(`/sprints/${id}`),
  }));
  const views = tables.view.all().map<Entry>(({ id, name, project }) => ({
    id: `view:${id}`,
    title: name,
    hint: [t.view, project ?? []].flat().join(" · "),
    mark: <Icon of="view" />,
    run: () => go(`/views/${id}`),
  }));
  const pages = starred.value.filter(({ kind }) => kind === "page" || kind === "space").map<Entry>(({ subject, title, label, icon, path }) => ({
    id: subject,
    title: label ?? title,
    hint: t.starred,
    mark: <Emblem of={icon} />,
    run: () => go(path),
  }));
  const issues = tables.issue.all();
  const exact = issues.find((issue) => issue.key.toLowerCase() === text.trim().toLowerCase());
  const fits = rankBy(text, issues, (issue) => `${issue.key} ${issue.title}`).slice(0, MOST);
  const first = exact ? [exact, ...fits.filter((issue) => issue !== exact)] : fits;
  return [
    ...(exact ? first.slice(0, 1).map(entryOfIssue) : []),
    ...rankBy(text, [...commands, ...projects, ...sprints, ...views, ...pages, ...settings], ({ title, also }) => (also ? `${title} ${also}` : title)).slice(0, MOST),
    ...(exact ? first.slice(1) : first).map(entryOfIssue),
  ];
}

function entryOfIssue({ id, key, title, lane: at }: { id: number; key: string; title: string; lane: string }): Entry {
  const lane = tables.lane.get(at);
  return {
    id: `issue:${id}`,
    title,
    hint: key,
    mark: <LaneIcon lane={lane} part={partOf(lane)} />,
    run: () => go(`/issues/${key}`),
  };
}

/** Some places are pages of the server and no screens of the app yet. */
function follow(path: string): void {
  if (isScreen(path)) go(path);
  else location.assign(path);
}

const MARKS = { page: "page", attachment: "clip", comment: "comment" } as const;

/** What is in texts and comments, and what is not kept here. */
async function search(text: string): Promise<Entry[]> {
  const { items } = await server.search.query({ q: text, limit: MOST });
  return items.map((hit) => {
    const issue = hit.kind === "issue" ? tables.issue.get(Number(hit.subject.split(":")[1])) : undefined;
    if (issue) return entryOfIssue(issue);
    const mark = MARKS[hit.kind as keyof typeof MARKS] ?? "search";
    // Of files and pages there are several of one name: where they belong tells them apart, and the mark what they are.
    return { id: hit.subject, title: hit.title, hint: hit.within ?? hit.kind, mark: <Icon of={mark} />, run: () => follow(hit.path) };
  });
}
