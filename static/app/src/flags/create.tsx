/** A new flag: a name is enough, the key is read off it. */
import { useEffect, useState } from "preact/hooks";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { byField, useAsked } from "./asked.ts";
import { flagIn } from "./asking.ts";
import { pathOf } from "./model.ts";
import { Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done, useOnce } from "./writing.ts";

type Kind = "bool" | "string" | "number" | "json";

interface Draft {
  readonly name: string;
  readonly key?: string;
  readonly description: string;
  readonly template: string;
  readonly kind: Kind;
  readonly values: readonly { readonly value: string; readonly name: string }[];
  readonly tags: string;
  readonly temporary: boolean;
  readonly clientSide: boolean;
}

const FRESH: Draft = {
  name: "", description: "", template: "", kind: "bool", values: [{ value: "", name: "" }, { value: "", name: "" }], tags: "", temporary: true, clientSide: false,
};

export function FlagDialog() {
  return flagIn.value === undefined ? null : <Form project={flagIn.value} />;
}

export function keyOf(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9._]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
}

function written(project: string): Draft {
  return { ...FRESH, ...(JSON.parse(draftOf(`flag ${project}`) || "{}") as Partial<Draft>) };
}

function Form({ project }: { project: string }) {
  const [draft, setDraft] = useState(() => written(project));
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { busy, once } = useOnce();
  const templates = useAsked("templates", () => server.flags.templates()).data ?? [];
  useEffect(() => keepDraft(`flag ${project}`, draft.name || draft.description ? JSON.stringify(draft) : ""), [draft]);
  const set = (more: Partial<Draft>): void => setDraft({ ...draft, ...more });
  const key = draft.key ?? keyOf(draft.name);
  const close = (): void => {
    flagIn.value = undefined;
  };
  const make = async (): Promise<void> => {
    if (busy) return;
    setWrong({});
    try {
      const made = await done(once((wish) => server.flags.create({ project, key, ...inputOf(draft) }, wish)));
      keepDraft(`flag ${project}`, "");
      close();
      go(pathOf(project, made.key));
      say(t.made(made.key));
    } catch (error) {
      setWrong(byField(error));
    }
  };
  const template = templates.find((one) => one.key === draft.template);
  const wrongAt = (field: string) => <Wrong>{wrong[field]}</Wrong>;
  return (
    <Layer label={t.newFlag} kind="dialog" onClose={close}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{t.newFlagIn(project)}</h2>
        <label class="field">
          {t.name}
          <input value={draft.name} maxLength={500} required autocomplete="off" placeholder={t.namePlace} aria-invalid={"name" in wrong} onInput={(event) => set({ name: event.currentTarget.value })} />
          {wrongAt("name")}
        </label>
        <label class="field">
          {t.key}
          <input class="mono" value={key} maxLength={128} required autocomplete="off" spellcheck={false} aria-invalid={"key" in wrong} onInput={(event) => set({ key: event.currentTarget.value })} />
          <span class="meta">{t.keyWhat}</span>
          {wrongAt("key")}
        </label>
        <label class="field">
          {t.description}
          <textarea rows={2} maxLength={2000} value={draft.description} onInput={(event) => set({ description: event.currentTarget.value })} />
          {wrongAt("description")}
        </label>
        <div class="bar pair">
          <label class="field grow">
            {t.template}
            <select value={draft.template} onChange={(event) => set({ template: event.currentTarget.value })}>
              <option value="">{t.noTemplate}</option>
              {templates.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
            </select>
          </label>
          {!template && (
            <label class="field">
              {t.kind}
              <select value={draft.kind} onChange={(event) => set({ kind: event.currentTarget.value as Kind })}>
                {(["bool", "string", "number", "json"] as const).map((one) => <option key={one} value={one}>{t.kinds[one]}</option>)}
              </select>
            </label>
          )}
        </div>
        {!template && draft.kind !== "bool" && <Values draft={draft} onSet={set} />}
        {wrongAt("variations")}
        {!template && (
          <>
            <label class="field">
              {t.tags}
              <input value={draft.tags} autocomplete="off" placeholder={t.tagsPlace} onInput={(event) => set({ tags: event.currentTarget.value })} />
              {wrongAt("tags")}
            </label>
            <label class="check"><input type="checkbox" checked={draft.temporary} onChange={(event) => set({ temporary: event.currentTarget.checked })} /> {t.temporaryAsk}</label>
          </>
        )}
        <label class="check"><input type="checkbox" checked={draft.clientSide} onChange={(event) => set({ clientSide: event.currentTarget.checked })} /> {t.clientSideAsk}</label>
        <Wrong>{wrong[""] ?? Object.entries(wrong).find(([name]) => !["name", "key", "description", "variations", "tags"].includes(name))?.[1]}</Wrong>
        <div class="bar">
          <span class="meta grow">{t.newIsOff}</span>
          <button type="button" class="plain" onClick={close}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !key}>{t.makeFlag}</button>
        </div>
      </form>
    </Layer>
  );
}

function inputOf(draft: Draft) {
  const words = draft.tags.split(",").map((tag) => tag.trim()).filter(Boolean);
  const about = { name: draft.name, ...(draft.description && { description: draft.description }), ...(draft.clientSide && { client_side: true }) };
  if (draft.template) return { ...about, template: draft.template };
  const some = { ...about, kind: draft.kind, temporary: draft.temporary, ...(words.length && { tags: words }) };
  if (draft.kind === "bool") return some;
  return { ...some, variations: draft.values.map(({ value, name }) => ({ value: valueOf(draft.kind, value), ...(name && { name }) })) };
}

/** What was typed as a value of this kind; what is none of it goes as text, and the server says what is wrong. */
export function valueOf(kind: Kind, text: string): unknown {
  if (kind === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function Values({ draft, onSet }: { draft: Draft; onSet: (more: Partial<Draft>) => void }) {
  const put = (at: number, more: Partial<Draft["values"][number]>): void =>
    onSet({ values: draft.values.map((one, other) => (at === other ? { ...one, ...more } : one)) });
  return (
    <fieldset class="values">
      <legend class="meta">{t.variations}</legend>
      {draft.values.map((one, at) => (
        <div class="bar" key={at}>
          <input class="mono grow" aria-label={t.valueOf(at + 1)} placeholder={t.value} value={one.value} onInput={(event) => put(at, { value: event.currentTarget.value })} />
          <input aria-label={t.nameOf(at + 1)} placeholder={t.nameMay} value={one.name} onInput={(event) => put(at, { name: event.currentTarget.value })} />
          <button type="button" class="mini" aria-label={t.remove} disabled={draft.values.length < 2} onClick={() => onSet({ values: draft.values.filter((_, other) => other !== at) })}>×</button>
        </div>
      ))}
      <button type="button" class="plain" onClick={() => onSet({ values: [...draft.values, { value: "", name: "" }] })}>{t.addVariation}</button>
    </fieldset>
  );
}
