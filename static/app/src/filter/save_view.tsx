/** What is asked for becomes a view: a new one, or the one that one looks at. */
import { useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { until } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { remember } from "../store/changes.ts";
import { tables } from "../store/tables.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { go, here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { wholeColumns } from "./columns.ts";
import { group, layout, reset, sort, subgroup, tql } from "./state.ts";
import { fetchView, view } from "./view.ts";
import { words } from "./words.ts";

/** The condition of the place that one looks at belongs to a new view: it finds the same from anywhere. */
function wholeQuery(isNew: boolean): string {
  const place = here.peek();
  const base = place.name === "project" ? `project = ${place.key}` : place.name === "mine" ? "mine" : "";
  const text = tql.peek();
  if (!isNew || !base) return text;
  if (!text) return base;
  if (/\bor\b/i.test(text)) return `${base} and (${text})`;
  return `${text} and `.startsWith(`${base} and `) ? text : `${base} and ${text}`; // a view of the project says it already
}

export function SaveViewDialog() {
  const present = view.peek();
  const place = here.peek();
  const project = place.name === "project" ? tables.project.get(place.key) : undefined;
  const [isNew, setNew] = useState(present === undefined);
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [onProject, setOnProject] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    const by = sort.peek();
    const shape = {
      tql: wholeQuery(isNew),
      layout: layout.peek(),
      ...(layout.peek() === "table" && { columns: wholeColumns() }),
      group_by: group.peek() === "none" ? null : group.peek(),
      subgroup_by: subgroup.peek() === "none" ? null : subgroup.peek(),
      sort: by.by === "usual" ? null : `${by.back ? "-" : ""}${by.by}`,
    };
    const which = isNew || !present ? { name, shared: shared && !onProject, project: onProject ? project?.key : null } : rest(present);
    try {
      const { data, seq } = await server.ask("views.save", { ...which, ...shape });
      remember(words.saved(which.name), seq);
      await until(seq);
      dismiss();
      say(words.saved(which.name));
      if (!data) return;
      await fetchView(data.id);
      if (isNew) go(`/views/${data.id}`);
      else reset();
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setWrong(away(error) ? t.noAnswer : (error as Problem).detail);
      setBusy(false);
    }
  };
  return (
    <Layer label={t.saveView} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2>{t.saveView}</h2>
        {present && (
          <p class="bar wraps">
            <label><input type="radio" name="which" checked={!isNew} onChange={() => setNew(false)} /> {words.saveThis(present.name)}</label>
            <label><input type="radio" name="which" checked={isNew} onChange={() => setNew(true)} /> {words.saveNew}</label>
          </p>
        )}
        {isNew && (
          <>
            <label class="field">
              {words.name}
              <input value={name} required maxLength={200} autocomplete="off" placeholder={words.namePlaceholder} onInput={(event) => setName(event.currentTarget.value)} />
            </label>
            {project && (
              <label><input type="checkbox" checked={onProject} onChange={(event) => setOnProject(event.currentTarget.checked)} /> {words.onProject(project.name)}</label>
            )}
            {!onProject && (
              <label>
                <input type="checkbox" checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} /> {words.shared}{" "}
                <span class="meta">{words.sharedWhat}</span>
              </label>
            )}
          </>
        )}
        <pre class="fault">{wholeQuery(isNew)}</pre>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={dismiss}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy}>{words.save}</button>
        </div>
      </form>
    </Layer>
  );
}

/** What of a view stays as it is. */
function rest({ id, name, project, shared, icon, columns }: NonNullable<typeof view.value>) {
  return { id, name, project, shared, icon, columns };
}
