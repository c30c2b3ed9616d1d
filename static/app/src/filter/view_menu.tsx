/** What can be done with a saved view as a whole. */
import { act } from "../issue/act.ts";
import { choose } from "../issues/asked.ts";
import type { View } from "../store/kinds.ts";
import { isAdmin, leads } from "../store/rights.ts";
import { may, myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { go, here } from "../ui/router.ts";
import { compare } from "../ui/texts.ts";
import { fetchView, view } from "./view.ts";
import { words } from "./words.ts";

export function ViewMenu() {
  const found = view.value;
  if (!found) return null;
  return (
    <button
      type="button"
      class="mini"
      aria-label={words.menu}
      title={words.menu}
      onClick={({ currentTarget }) => choose({ label: words.menu, at: currentTarget, options: optionsFor(found, currentTarget) })}
    >
      <Icon of="dots" />
    </button>
  );
}

function optionsFor(found: View, at: Element) {
  const { id, name } = found;
  const mails = (["off", "daily", "weekly", "change"] as const).map((every) => ({
    title: words.mails[every],
    on: (found.subscribed ?? "off") === every,
    run: () => void subscribe(found, every),
  }));
  const copy = {
    title: words.copy,
    run: () => void act(words.copied(name), "views.copy", { id }).then((made) => made && go(`/views/${made.id}`)),
  };
  return [...mails, copy, ...opening(found, at), ...(mayKeep(found) ? [{ title: words.delete, run: () => void remove(found) }] : [])];
}

/** Which projects may open with it, of those that one leads: the one that it is on, or any where everybody sees it. */
function opening(found: View, at: Element) {
  if (!may("projects:write") || (found.project === null && !found.shared)) return [];
  const place = here.peek();
  const only = found.project ?? (place.name === "project" ? place.key : undefined);
  const options = tables.project
    .all()
    .filter(({ key, archived_at, my_role }) => archived_at === null && my_role === "lead" && (only ?? key) === key)
    .sort((one, other) => compare(one.name, other.name))
    .map(({ key, name, default_view }) => {
      const on = default_view === found.id;
      return { title: words.opens(name, key), on, run: () => void openWith(key, name, on ? null : found) };
    });
  if (only !== undefined || options.length < 2) return options;
  return [{ title: words.opensSome, run: () => choose({ label: words.opensSome, at, options }) }];
}

async function openWith(key: string, name: string, found: View | null): Promise<void> {
  const said = found ? words.opened(name, found.name) : words.openedPlain(name);
  if (await act(said, "projects.update", { key, default_view: found?.id ?? null })) say(said);
}

/** Its owner; leads where it is on a project; admins where others see it. */
function mayKeep({ owner, project, shared }: View): boolean {
  return owner === myId.value || (project !== null && leads(project)) || (shared && isAdmin());
}

async function subscribe({ id }: View, every: "off" | "daily" | "weekly" | "change"): Promise<void> {
  if (!(await act(words.mails[every], "views.subscribe", { id, every }))) return;
  await fetchView(id);
  say(words.mails[every]);
}

async function remove({ id, name }: View): Promise<void> {
  if (!(await act(words.deleted(name), "views.delete", { id }))) return;
  go("/issues");
  say(words.deleted(name));
}
