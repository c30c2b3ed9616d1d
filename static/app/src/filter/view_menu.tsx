/** What can be done with a saved view as a whole. */
import type { View } from "@kbwork/client";
import { act } from "../issue/act.ts";
import { choose } from "../issues/asked.ts";
import { isAdmin, leads } from "../store/rights.ts";
import { myId } from "../store/session.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
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
      onClick={(event) => choose({ label: words.menu, at: event.currentTarget, options: optionsFor(found) })}
    >
      <Icon of="dots" />
    </button>
  );
}

function optionsFor(found: View) {
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
  return [...mails, copy, ...(mayKeep(found) ? [{ title: words.delete, run: () => void remove(found) }] : [])];
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
