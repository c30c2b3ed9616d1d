/** Everything that keys and the palette do, in one table. */
import { isUnsent, undo, waiting } from "../store/changes.ts";
import { leave } from "../store/follow.ts";
import type { Priority } from "../store/kinds.ts";
import { atWork } from "../store/desks.ts";
import { canAsk } from "../store/models.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { copy } from "../ui/clipboard.ts";
import type { Command } from "../ui/commands.ts";
import { turnDensity } from "../ui/density.ts";
import { aside, turnDirection } from "../ui/direction.ts";
import { setTheme, theme } from "../ui/theme.ts";
import { say } from "../ui/notes.tsx";
import { type Layout, LAYOUTS } from "../ui/places.ts";
import { back, go, here, peek, peeked } from "../ui/router.ts";
import { PRIORITIES, t } from "../ui/texts.ts";
import { layout, projectPath, setLayout } from "../filter/state.ts";
import { askModel, askPage, create, createFrom, edit, filterBy, newProject, newSprint, openHelp, openMyChanges, openPalette, queryDialog, saveView } from "../issues/asked.ts";
import { shift, walk } from "../issues/board.tsx";
import { atCursor, atHead, cursor, hasGroups, move, open, selectAll, selected, selectNone, targets, titling, toggle, turnGroupAt, turnGroups } from "../issues/cursor.ts";
import { FIELDS, type Field, setPriority } from "../issues/edits.ts";
import { listed } from "../issues/listed.ts";
import { hasList, onBoard } from "../issues/query.ts";
import { settle } from "./worker.ts";

const ISSUE = t.issue;
const LIST = t.commands.list;
const GO = t.commands.goTo;
const APP = t.commands.everywhere;
const LOOK = t.commands.look;

/** Of issues below each other; in a calendar they stand by days. */
const inRows = (): boolean => hasList.value && !onBoard.value && layout.value !== "calendar";
const inGroups = (): boolean => inRows() && hasGroups.value;
const hasTarget = (): boolean => targets().length > 0;
const hasCursor = (): boolean => hasList.value && atCursor.value !== undefined;

const KEY_OF: Record<Field, string> = {
  status: "s",
  priority: "p",
  assignee: "a",
  labels: "l",
  due: "d",
  type: "Shift+T",
  components: "Shift+C",
  estimate: "Shift+E",
  start: "Shift+D",
  parent: "Shift+P",
  sprint: "Shift+S",
};

const LAYOUT_KEYS: Record<Layout, string> = { list: "v l", board: "v b", table: "v t", calendar: "v c", timeline: "v y" };

const layouts = LAYOUTS.map<Command>((one) => ({
  id: `go:${one}`,
  title: t[one],
  group: GO,
  keys: [LAYOUT_KEYS[one]],
  when: () => hasList.value && !listed.value && layout.value !== one,
  run: () => setLayout(one),
}));

/** Of the issue that is open; else of that of the cursor, which opens beside the list. */
function writeTitle(): void {
  if (open.value !== undefined) return document.querySelector<HTMLElement>("[data-title]")?.focus();
  titling.value = cursor.value;
  peek(tables.issue.get(cursor.value!)?.key ?? null);
}

/** The button of the field where one is on the screen: the choices come up there. */
function anchor(field: Field): Element | null {
  const label = FIELDS[field];
  const [id] = targets();
  const inView = document.querySelector(`article.issue button[title="${label}"]`);
  if (open.value === id && inView) return inView;
  return document.querySelector(`#issue-${id} button[title^="${label}"], #issue-${id} .title, [data-card="${id}"]`);
}

const fields = (Object.keys(KEY_OF) as Field[]).map<Command>((field) => ({
  id: `field:${field}`,
  title: t.change(FIELDS[field].toLowerCase()),
  group: ISSUE,
  keys: [KEY_OF[field]],
  when: hasTarget,
  run: () => edit(field, targets(), targets().length === 1 ? anchor(field) : null),
}));

const priorities = (Object.keys(PRIORITIES) as Priority[]).map<Command>((priority) => ({
  id: `priority:${priority}`,
  title: `${t.priority}: ${PRIORITIES[priority]}`,
  group: ISSUE,
  when: hasTarget,
  run: () => setPriority(issues(), priority),
}));

function issues() {
  return targets().map((id) => tables.issue.get(id)).filter((issue) => issue !== undefined);
}

/** What was not sent would be lost. */
function signOut(): void {
  const count = waiting.value.length;
  const go = (): void => void settle().then(leave).catch(() => say(t.notSignedOut));
  if (count) say(t.unsent(count), { title: t.signOutAnyway, run: go });
  else go();
}

async function takeBack(): Promise<void> {
  try {
    const what = await undo();
    if (!what && isUnsent()) say(t.notSentYet);
    else say(what ? t.undone(what) : t.nothingToUndo, { title: t.myChanges, run: openMyChanges });
  } catch (error) {
    say((error as Error).message);
  }
}

export const ACTIONS: readonly Command[] = [
  { id: "palette", title: t.search, group: APP, keys: ["$mod+k", "/"], run: openPalette },
  { id: "create", title: t.newIssue, group: APP, keys: ["c"], when: () => tables.project.size > 0 || may("projects:write"), run: () => (tables.project.size ? create() : newProject()) },
  { id: "create-from", title: t.newFromTemplate, group: APP, when: () => tables.project.size > 0, run: createFrom },
  { id: "new-project", title: t.newProject, group: APP, when: () => may("projects:write"), run: newProject },
  { id: "new-sprint", title: t.newSprint, group: APP, when: () => may("sprints:write") && tables.project.size > 0, run: newSprint },
  { id: "new-page", title: t.newPage, group: APP, when: () => may("pages:write"), run: () => askPage({ what: "make" }) },
  { id: "find-page", title: t.goToPage, group: GO, when: () => may("pages:read"), run: () => askPage({ what: "find" }) },
  { id: "undo", title: t.commands.undo, group: APP, keys: ["$mod+z"], run: () => void takeBack() },
  { id: "my-changes", title: t.myChanges, group: APP, keys: ["g u"], when: () => may("activity:read"), run: openMyChanges },
  { id: "help", title: t.help, group: APP, keys: ["?", "Shift+?"], run: openHelp },
  { id: "sign-out", title: t.signOut, group: APP, run: signOut },
  { id: "go:inbox", title: t.rooms.inbox, group: GO, keys: ["g i"], when: () => may("notifications:read"), run: () => go("/inbox") },
  { id: "go:flags", title: t.rooms.flags, group: GO, keys: ["g f"], when: () => may("flags:read"), run: () => go("/flags") },
  { id: "go:boards", title: t.rooms.boards, group: GO, keys: ["g b"], when: () => may("boards:read"), run: () => go("/boards") },
  { id: "go:pages", title: t.rooms.pages, group: GO, keys: ["g p"], when: () => may("pages:read"), run: () => go("/spaces") },
  { id: "go:requests", title: t.rooms.requests, group: GO, keys: ["g r"], when: () => atWork.value.length > 0, run: () => go("/requests") },
  { id: "go:settings", title: t.rooms.settings, group: GO, keys: ["g s"], run: () => go("/settings") },
  { id: "go:mine", title: t.mine, group: GO, keys: ["g m"], run: () => go("/") },
  { id: "go:issues", title: t.issues, group: GO, keys: ["g a"], run: () => go("/issues") },
  ...layouts,
  { id: "filter", title: t.filterBy, group: LIST, keys: ["f"], when: () => hasList.value, run: () => filterBy(undefined, document.querySelector("[data-filter]")) },
  { id: "query", title: t.asText, group: LIST, keys: ["Shift+F"], when: () => hasList.value, run: queryDialog },
  { id: "save-view", title: t.saveView, group: LIST, when: () => hasList.value && !listed.value && may("boards:write"), run: saveView },
  { id: "down", title: t.commands.next, group: LIST, keys: ["j", "ArrowDown"], when: inRows, run: () => move(1) },
  { id: "up", title: t.commands.previous, group: LIST, keys: ["k", "ArrowUp"], when: inRows, run: () => move(-1) },
  { id: "board-down", title: t.commands.nextCard, group: LIST, keys: ["j", "ArrowDown"], when: () => onBoard.value, run: () => walk(0, 1) },
  { id: "board-up", title: t.commands.previousCard, group: LIST, keys: ["k", "ArrowUp"], when: () => onBoard.value, run: () => walk(0, -1) },
  { id: "board-left", title: t.commands.left, group: LIST, keys: ["ArrowLeft"], when: () => onBoard.value, run: () => walk(aside(-1), 0) },
  { id: "board-right", title: t.commands.right, group: LIST, keys: ["ArrowRight"], when: () => onBoard.value, run: () => walk(aside(1), 0) },
  { id: "shift-left", title: t.commands.laneBefore, group: LIST, keys: ["Shift+ArrowLeft"], when: () => onBoard.value && hasCursor(), run: () => shift(aside(-1)) },
  { id: "shift-right", title: t.commands.laneNext, group: LIST, keys: ["Shift+ArrowRight"], when: () => onBoard.value && hasCursor(), run: () => shift(aside(1)) },
  {
    id: "peek", title: t.commands.peek, group: LIST, keys: ["Space"], when: hasCursor,
    run: () => peek(peeked.value ? null : (tables.issue.get(cursor.value!)?.key ?? null)),
  },
  {
    id: "open", title: t.open, group: LIST, keys: ["Enter", "o"], when: hasCursor,
    run: () => go(`/issues/${tables.issue.get(cursor.value!)?.key ?? ""}`),
  },
  { id: "fold", title: t.commands.fold, group: LIST, keys: ["z"], when: inGroups, run: () => turnGroupAt() },
  { id: "fold-outer", title: t.commands.foldOuter, group: LIST, keys: ["Shift+Z"], when: inGroups, run: () => turnGroupAt({ outer: true }) },
  { id: "fold-all", title: t.commands.foldAll, group: LIST, when: inGroups, run: turnGroups },
  { id: "unfold", title: t.commands.unfold, group: LIST, keys: ["Enter", "Space"], when: () => inGroups() && atHead.value !== undefined, run: () => turnGroupAt() },
  { id: "select", title: t.commands.select, group: LIST, keys: ["x"], when: hasCursor, run: () => toggle(cursor.value!) },
  { id: "select-all", title: t.commands.selectAll, group: LIST, keys: ["$mod+a"], when: () => hasList.value && !onBoard.value, run: selectAll },
  {
    id: "back", title: t.commands.back, group: LIST, keys: ["Escape"],
    when: () => (hasList.value && selected.value.size > 0) || peeked.value !== null || here.value.name === "issue",
    run: () => {
      if (hasList.value && selected.value.size) selectNone();
      else if (peeked.value) peek(null);
      else back(projectPath(here.value.name === "issue" ? here.value.key.replace(/-\d+$/, "") : ""));
    },
  },
  ...fields,
  ...priorities,
  {
    id: "title", title: t.commands.title, group: ISSUE, keys: ["e"], when: () => open.value !== undefined || hasCursor(),
    run: writeTitle,
  },
  {
    id: "comment", title: t.commands.comment, group: ISSUE, keys: ["m"], when: () => open.value !== undefined,
    run: () => document.querySelector<HTMLElement>(".write textarea")?.focus(),
  },
  {
    id: "ask-model", title: t.askModel, group: ISSUE, when: () => canAsk.value && targets().length === 1,
    run: () => issues().forEach(({ key }) => askModel({ subject: `issue:${key}`, title: key })),
  },
  {
    id: "copy-key", title: t.commands.copyKey, group: ISSUE, keys: ["y"], when: hasTarget,
    run: () => copy(issues().map((issue) => issue.key).join(" ")),
  },
  { id: "density", title: t.closeRows, group: LOOK, run: turnDensity },
  { id: "theme-light", title: t.themes.light, group: LOOK, when: () => theme.value !== "light", run: () => setTheme("light") },
  { id: "theme-dark", title: t.themes.dark, group: LOOK, when: () => theme.value !== "dark", run: () => setTheme("dark") },
  { id: "theme-system", title: t.themes.system, group: LOOK, when: () => theme.value !== undefined, run: () => setTheme(undefined) },
  { id: "direction", title: t.turnDirection, group: LOOK, run: turnDirection },
];
