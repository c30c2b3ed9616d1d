/** What can be done with a page: by buttons at its head, by keys, and behind the three dots. */
import { signal } from "@preact/signals";
import type { Page } from "@kbwork/client";
import { askModel, askPage, choose } from "../issues/asked.ts";
import { Dot } from "../issues/marks.tsx";
import { people } from "../issues/field_choices.tsx";
import { canAsk } from "../store/models.ts";
import { may } from "../store/session.ts";
import { stars, take } from "../store/stars.ts";
import { tables } from "../store/tables.ts";
import { copy } from "../ui/clipboard.ts";
import { say } from "../ui/notes.tsx";
import type { Option } from "../ui/picker.tsx";
import { go } from "../ui/router.ts";
import { compare, t } from "../ui/texts.ts";
import { Dots, Turn } from "../ui/turn.tsx";
import { done, quietly } from "./act.ts";
import { flat } from "./branches.ts";
import { allows, edits, fetchSpaces, fetchTree, forgetPage, found, moved, show, spaces, trees } from "./known.ts";
import { EMBLEMS } from "./marks.tsx";
import { words } from "./texts.ts";

/** Id of the page that is written on. */
export const editing = signal<string | undefined>(undefined);

/** One of many, chosen from a list that stands at something. */
interface Picking {
  readonly kind: "pick";
  readonly label: string;
  readonly at: Element;
  readonly options: readonly Option<string>[];
  readonly chosen: readonly string[];
  readonly many?: boolean;
  readonly also?: (text: string) => Option<string> | undefined;
  readonly onChoose: (value: string) => void;
}

type Shown = Picking | { readonly kind: "restrict" | "export" | "template"; readonly page: Page };

/** What is asked about the page that is shown. */
export const shown = signal<Shown | undefined>(undefined);

export function Actions({ page }: { page: Page }) {
  const canEdit = edits(page);
  const starred = stars.value.has(`page:${page.id}`);
  return (
    <>
      {canEdit && (
        <button type="button" class="edit" onClick={() => (editing.value = page.id)}>
          {words.edit} <kbd class="wide-only">E</kbd>
        </button>
      )}
      <Turn of="eye" on={page.watching} title={page.watching ? words.unwatch : words.watch} onClick={() => void watch(page)} />
      <Turn of="star" on={starred} title={starred ? words.unstar : words.star} onClick={() => void star(`page:${page.id}`)} />
      <Dots title={words.more} onClick={(at) => choose({ label: words.more, at, options: optionsFor(page, canEdit, at) })} />
    </>
  );
}

export async function watch(page: Page): Promise<void> {
  const on = !page.watching;
  const now = await quietly(on ? words.watch : words.unwatch, "pages.watch", { id: page.id, on });
  const whole = found.peek().get(page.id);
  if (now && whole) show(page.id, { page: { ...whole.page, watching: now.watching } });
}

export async function star(subject: string): Promise<void> {
  const on = !stars.peek().has(subject);
  const all = await quietly(on ? words.star : words.unstar, "stars.set", { subject, on });
  if (all) await take(all).catch(() => undefined); // they stand there already, and lead where their kind does
}

export function copyLink({ id }: Page): void {
  copy(`${location.origin}/pages/${id}`);
}

interface Act {
  readonly title: string;
  readonly run: () => void;
}

function optionsFor(page: Page, canEdit: boolean, at: Element): Act[] {
  const { id, title, space, locked, my_level: level } = page;
  const writes = may("pages:write");
  const manages = writes && allows(level, "manage") && page.state !== "archived";
  const options: (Act | false)[] = [
    { title: words.copyLink, run: () => copyLink(page) },
    canAsk.value && { title: t.askModel, run: () => askModel({ subject: `page:${id}`, title }) },
    { title: words.history, run: () => go(`/pages/${id}/history`) },
    canEdit && { title: words.newBelow, run: () => askPage({ what: "make", space, parent: id }) },
    canEdit && { title: words.icon, run: () => chooseIcon(page, at) },
    ...(writes ? copies(page) : []),
    canEdit && { title: words.move, run: () => chooseGoal(page, at) },
    canEdit && page.state === "published" && { title: words.check, run: () => chooseDays(page, at) },
    canEdit && page.verified_until !== null && { title: words.uncheck, run: () => void done(words.uncheck, "pages.verify", { id, days: 0 }) },
    { title: words.export, run: () => (shown.value = { kind: "export", page }) },
    writes && page.limits !== null && { title: words.restrict, run: () => (shown.value = { kind: "restrict", page }) },
    manages && { title: locked ? words.unlock : words.lock, run: () => void done((locked ? words.unlocked : words.locked)(title), "pages.lock", { id, on: !locked }) },
    manages && { title: words.template_, run: () => (shown.value = { kind: "template", page }) },
    ...putAway(page, canEdit),
  ];
  return options.filter((one) => one !== false);
}

function copies({ id, title, counts: { children } }: Page): Act[] {
  const run = (all: boolean) => (): void =>
    void done(words.copied(title), "pages.copy", { id, children: all }).then((made) => made && go(made.path));
  if (!children) return [{ title: words.copy, run: run(false) }];
  return [{ title: words.copyAlone, run: run(false) }, { title: words.copyAll, run: run(true) }];
}

function putAway(page: Page, canEdit: boolean): Act[] {
  const { id, title, state, counts: { children }, space } = page;
  if (state === "archived") {
    if (!may("pages:write") || !allows(page.my_level, "edit")) return [];
    return [{ title: words.unarchive, run: () => void done(words.broughtBack(title), "pages.archive", { id, on: false }) }];
  }
  if (!canEdit) return [];
  const remove = (below: "keep" | "delete") => (): void =>
    void done(words.deleted(title), "pages.delete", { id, children: below }, () => {
      go(page.parent ? `/pages/${page.parent}` : `/spaces/${space}`);
      forgetPage(id);
    });
  const archive = { title: words.archive, run: () => void done(words.archivedOne(title), "pages.archive", { id, on: true }) };
  if (!children) return [archive, { title: words.delete, run: remove("keep") }];
  return [archive, { title: words.deleteKeep, run: remove("keep") }, { title: words.deleteAll, run: remove("delete") }];
}

function chooseIcon(page: Page, at: Element): void {
  const set = (icon: string): void => void done(words.changed(page.title), "pages.update", { id: page.id, icon });
  shown.value = {
    kind: "pick", label: words.icon, at, chosen: [page.icon ?? ""], onChoose: set,
    options: [{ value: "", title: words.noIcon }, ...EMBLEMS.map(([word, sign]) => ({ value: word, title: word, mark: <span>{sign}</span> }))],
    also: (text) => (/^\p{Extended_Pictographic}/u.test(text) ? { value: text, title: text } : undefined),
  };
}

function chooseDays({ id, title }: Page, at: Element): void {
  const options = [30, 90, 180, 365].map((days) => ({ value: String(days), title: words.days(days) }));
  const check = (days: string): void => void done(words.changed(title), "pages.verify", { id, days: Number(days) });
  shown.value = { kind: "pick", label: words.check, at, options, chosen: [], onChoose: check };
}

export function chooseOwner(page: Page, at: Element): void {
  const set = (owner: string): void => void (owner && done(words.changed(page.title), "pages.update", { id: page.id, owner }));
  const guests = new Set(tables.member.all().filter(({ role }) => role === "guest").map(({ id }) => id));
  const options = people().filter(({ value }) => value && !guests.has(value));
  shown.value = { kind: "pick", label: words.owner, at, options, chosen: [page.owner], onChoose: set };
}

export function chooseLabels(page: Page, at: Element): void {
  const project = spaces.peek()?.find(({ key }) => key === page.space)?.project ?? null;
  const usable = tables.label.all().filter((label) => label.project === null || label.project === project);
  const options = usable.sort((one, other) => compare(one.name, other.name)).map(({ name, color }) => ({ value: name, title: name, mark: <Dot color={color} /> }));
  const turn = (name: string): void => {
    const now = found.peek().get(page.id)?.page ?? page;
    const labels = now.labels.includes(name) ? now.labels.filter((one) => one !== name) : [...now.labels, name];
    show(page.id, { page: { ...now, labels } });
    if (shown.peek()?.kind === "pick") shown.value = { ...(shown.peek() as Picking), chosen: labels };
    void quietly(words.changed(page.title), "pages.update", { id: page.id, labels }).then((went) => went ?? moved.value++);
  };
  shown.value = { kind: "pick", label: words.labels, at, options, chosen: page.labels, many: true, onChoose: turn };
}

/** Below which page, or at the top of which space it goes. */
export function chooseGoal(page: Page, at: Element): void {
  const open = (spaces.peek() ?? []).filter(({ my_level, archived_at }) => allows(my_level, "edit") && archived_at === null);
  const tops = open.map(({ key, name }) => ({ value: `space:${key}`, title: words.topOf(name), hint: key }));
  const below = flat(trees.peek().get(page.space) ?? []).filter(({ node }) => node.id !== page.id && node.id !== page.parent);
  const options = [...below.map(({ node, level }) => ({ value: node.id, title: `${"  ".repeat(level - 1)}${node.title}` })), ...tops];
  const move = async (to: string): Promise<void> => {
    const goal = to.startsWith("space:") ? { space: to.slice(6), top: true } : { parent: to };
    if (!(await done(words.moved(page.title), "pages.move", { ids: [page.id], ...goal }))) return;
    await Promise.allSettled([fetchSpaces(), fetchTree(page.space)]);
  };
  if (!options.length) return say(words.noSpaceYet);
  shown.value = { kind: "pick", label: words.moveTo, at, options, chosen: [], onChoose: (to) => void move(to) };
}
