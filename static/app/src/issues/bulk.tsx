/** What is selected, and what can be done with all of it. */
import { useLayoutEffect } from "preact/hooks";
import { may } from "../store/session.ts";
import { offer } from "../ui/commands.ts";
import { t } from "../ui/texts.ts";
import { askOwn, edit } from "./asked.ts";
import { words } from "./bulk_words.ts";
import { selected, selectNone } from "./cursor.ts";
import { FIELDS, type Field } from "./edits.ts";
import { ownOfMany } from "./own.tsx";
import { open } from "./sprints.ts";

const BULK: readonly Field[] = ["status", "assignee", "priority", "labels", "due", "sprint"];

export function Bulk() {
  const ids = [...selected.value];
  const own = may("issues:write") ? ownOfMany(ids) : [];
  useLayoutEffect(
    () =>
      offer(own.map(({ key, name }) => ({
        id: `own-of-many:${key}`,
        title: words.ofMany(name),
        group: t.issue,
        run: () => askOwn({ issues: [...selected.peek()], field: key, at: null }),
      }))),
    [own.map(({ key, name }) => key + name).join()],
  );
  return (
    <div class="bulk" role="toolbar" aria-label={t.selected(ids.length)}>
      <strong>{t.selected(ids.length)}</strong>
      {BULK.filter((field) => field !== "sprint" || open.value.length > 0).map((field) => (
        <button key={field} type="button" onClick={(event) => edit(field, ids, event.currentTarget)}>{FIELDS[field]}</button>
      ))}
      {own.length > 0 && <button type="button" onClick={(event) => askOwn({ issues: ids, at: event.currentTarget })}>{t.addField}</button>}
      <button type="button" class="plain" onClick={selectNone}>{t.close} <kbd>Esc</kbd></button>
    </div>
  );
}
