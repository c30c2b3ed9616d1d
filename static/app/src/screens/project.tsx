/** A new project: a name is enough, the key is read off it. */
import { useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { until } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Layer } from "../ui/layer.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

const MOST_KEY = 5;
const ONE_WORD = 3;

export function ProjectDialog() {
  const [name, setName] = useState("");
  const [key, setKey] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const found = key ?? keyOf(name);
  const make = async (): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      const { seq } = await server.ask("projects.create", { key: found, name });
      await until(seq);
      dismiss();
      go(`/projects/${found}/board`); // the list of what is not there yet says less
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setWrong(error instanceof Problem ? error.detail || error.title : t.noAnswer);
      setBusy(false);
    }
  };
  return (
    <Layer label={t.newProject} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{t.newProject}</h2>
        {tables.project.size === 0 && <p class="meta">{t.noProjectsWhat}</p>}
        <label class="field">
          {t.name}
          <input value={name} maxLength={500} required autocomplete="off" placeholder={t.sampleProject} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          {t.key}
          <input
            value={found}
            maxLength={10}
            required
            autocomplete="off"
            placeholder="WEB"
            onInput={(event) => setKey(event.currentTarget.value.toUpperCase())}
          />
          <span class="meta">{t.keyWhat(found || "WEB")}</span>
        </label>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={dismiss}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy}>{t.makeProject}</button>
        </div>
      </form>
    </Layer>
  );
}

/** The first letters of its words; of one word its beginning. */
function keyOf(name: string): string {
  const words = name.normalize("NFKD").replace(/\p{M}+/gu, "").toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  if (words.length < 2) return (words[0] ?? "").replace(/^[0-9]+/, "").slice(0, ONE_WORD);
  return words.map((word) => word[0]).join("").replace(/^[0-9]+/, "").slice(0, MOST_KEY);
}
