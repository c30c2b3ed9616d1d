/** What is selected, and what can be done with all of it. */
import { t } from "../ui/texts.ts";
import { edit } from "./asked.ts";
import { selected, selectNone } from "./cursor.ts";
import { FIELDS, type Field } from "./edits.ts";
import { open } from "./sprints.ts";

const BULK: readonly Field[] = ["status", "assignee", "priority", "labels", "due", "sprint"];

export function Bulk() {
  const ids = [...selected.value];
  return (
    <div class="bulk" role="toolbar" aria-label={t.selected(ids.length)}>
      <strong>{t.selected(ids.length)}</strong>
      {BULK.filter((field) => field !== "sprint" || open.value.length > 0).map((field) => (
        <button key={field} type="button" onClick={(event) => edit(field, ids, event.currentTarget)}>{FIELDS[field]}</button>
      ))}
      <button type="button" class="plain" onClick={selectNone}>{t.close} <kbd>Esc</kbd></button>
    </div>
  );
}
