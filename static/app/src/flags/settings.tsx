/** What a flag is everywhere: its names, tags, who looks after it, its variations, its issues; and its end. */
import type { Flag } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { Picker } from "../ui/picker.tsx";
import { compare } from "../ui/texts.ts";
import { told } from "./asked.ts";
import { nameOf } from "./changes.tsx";
import { Chips } from "./chips.tsx";
import { Key, References } from "./code.tsx";
import { valueOf } from "./create.tsx";
import { type Instruction, same, type Variation, variationsOf } from "./model.ts";
import { Badge, Wrong } from "./parts.tsx";
import { learnFlag, useStale } from "./catalogue.ts";
import { t } from "./texts.ts";
import { done, movedTo, tried, useOnce } from "./writing.ts";

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly maintainers: readonly string[];
  readonly temporary: boolean;
  readonly clientSide: boolean;
  readonly variations: readonly { readonly text: string; readonly name: string; readonly description: string }[];
}

const written = (kind: Flag["kind"], value: unknown): string => (kind === "string" ? String(value) : JSON.stringify(value));

function draftOf(flag: Flag): Draft {
  const variations = variationsOf(flag).map(({ value, name, description }) => ({ text: written(flag.kind, value), name, description }));
  return { name: flag.name, description: flag.description, tags: flag.tags, maintainers: flag.maintainers, temporary: flag.temporary, clientSide: flag.client_side, variations };
}

/** What has to be done so that the flag is as it was edited. */
function instructionsOf(flag: Flag, draft: Draft): Instruction[] {
  const found: Instruction[] = [];
  if (draft.name !== flag.name) found.push({ kind: "updateName", value: draft.name });
  if (draft.description !== flag.description) found.push({ kind: "updateDescription", value: draft.description });
  for (const [name, add, remove] of [["tags", "addTags", "removeTags"], ["maintainers", "addMaintainers", "removeMaintainers"]] as const) {
    const come = draft[name].filter((one) => !flag[name].includes(one));
    const gone = flag[name].filter((one) => !draft[name].includes(one));
    if (come.length) found.push({ kind: add, values: come });
    if (gone.length) found.push({ kind: remove, values: gone });
  }
  if (draft.temporary !== flag.temporary) found.push({ kind: draft.temporary ? "makeFlagTemporary" : "makeFlagPermanent" });
  if (draft.clientSide !== flag.client_side) found.push({ kind: draft.clientSide ? "turnOnClientSideAvailability" : "turnOffClientSideAvailability" });
  const before = variationsOf(flag);
  draft.variations.forEach(({ text, name, description }, index) => {
    const value = valueOf(flag.kind, text);
    const was: Variation | undefined = before[index];
    if (!was) found.push({ kind: "addVariation", value, name, description });
    else if (!same(was, { value, name, description })) found.push({ kind: "updateVariation", index, ...(!same(was.value, value) && { value }), name, description });
  });
  return found;
}

export function FlagSettings({ flag }: { flag: Flag }) {
  const [draft, setDraft] = useState<Draft>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [picking, setPicking] = useState<Element>();
  const now = draft ?? draftOf(flag);
  const shut = flag.archived || !may("flags:write");
  const set = (more: Partial<Draft>): void => setDraft({ ...now, ...more });
  const instructions = draft ? instructionsOf(flag, draft) : [];
  const save = async (): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      const made = await done(server.flags.update({ project: flag.project, key: flag.key, instructions, versions: { flag: flag.version } }));
      learnFlag(made.flag);
      setDraft((written) => (written === draft ? undefined : written)); // else somebody wrote on
      say(t.savedFlag(flag.key));
    } catch (error) {
      setWrong(movedTo(error) ? t.movedFlag : told(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="create settings-of" onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <label class="field">{t.name}<input value={now.name} disabled={shut} required maxLength={500} onInput={(event) => set({ name: event.currentTarget.value })} /></label>
      <label class="field">{t.description}<textarea rows={3} value={now.description} disabled={shut} maxLength={2000} onInput={(event) => set({ description: event.currentTarget.value })} /></label>
      <div class="field"><span>{t.tags}</span><Chips label={t.tags} values={now.tags} shut={shut} place={t.addTag} onValues={(tags) => set({ tags: tags as string[] })} /></div>
      <div class="field">
        <span>{t.maintainers}</span>
        <span class="bar facts">
          {now.maintainers.map((id) => <span class="chip" key={id}>{nameOf(id)}</span>)}
          {!shut && <button type="button" class="chip" onClick={(event) => setPicking(event.currentTarget)}>{t.chooseMaintainers}</button>}
        </span>
      </div>
      <label class="check"><input type="checkbox" checked={now.temporary} disabled={shut} onChange={(event) => set({ temporary: event.currentTarget.checked })} /> {t.temporaryAsk}</label>
      <label class="check"><input type="checkbox" checked={now.clientSide} disabled={shut} onChange={(event) => set({ clientSide: event.currentTarget.checked })} /> {t.clientSideAsk}</label>
      <VariationFields flag={flag} draft={now} shut={shut} onSet={set} />
      <Wrong>{wrong}</Wrong>
      {!shut && (
        <div class="bar">
          <button type="submit" class="primary" disabled={busy || !instructions.length}>{t.save}</button>
          {draft && <button type="button" class="plain" onClick={() => setDraft(undefined)}>{t.discard}</button>}
          {instructions.length > 0 && <span class="meta">{t.everywhere}</span>}
        </div>
      )}
      <Issues flag={flag} shut={shut} />
      <Key key={flag.key} flag={flag} shut={shut} />
      <References flag={flag} />
      <End flag={flag} />
      {picking && (
        <Picker
          label={t.maintainers}
          at={picking}
          many
          options={tables.member.all().filter((one) => one.state === "active").sort((one, other) => compare(one.name, other.name)).map((one) => ({ value: one.id, title: one.name }))}
          chosen={now.maintainers}
          onChoose={(id) => set({ maintainers: now.maintainers.includes(id) ? now.maintainers.filter((one) => one !== id) : [...now.maintainers, id] })}
          onClose={() => setPicking(undefined)}
        />
      )}
    </form>
  );
}

function VariationFields({ flag, draft, shut, onSet }: { flag: Flag; draft: Draft; shut: boolean; onSet: (more: Partial<Draft>) => void }) {
  const put = (at: number, more: Partial<Draft["variations"][number]>): void => onSet({ variations: draft.variations.map((one, other) => (one === draft.variations[at] && at === other ? { ...one, ...more } : one)) });
  const fixed = shut || flag.kind === "bool";
  return (
    <fieldset class="values">
      <legend>{t.variations}</legend>
      {draft.variations.map((one, at) => (
        <div class="bar" key={at}>
          <span class={`swatch v-${at % 8}`} aria-hidden="true" />
          <input class="mono" aria-label={t.valueOf(at + 1)} value={one.text} disabled={fixed} spellcheck={false} onInput={(event) => put(at, { text: event.currentTarget.value })} />
          <input aria-label={t.nameOf(at + 1)} placeholder={t.name} value={one.name} disabled={shut} onInput={(event) => put(at, { name: event.currentTarget.value })} />
          <input class="grow" aria-label={t.wordsOf(at + 1)} placeholder={t.description} value={one.description} disabled={shut} onInput={(event) => put(at, { description: event.currentTarget.value })} />
        </div>
      ))}
      {!fixed && <button type="button" class="plain" onClick={() => onSet({ variations: [...draft.variations, { text: "", name: "", description: "" }] })}>{t.addVariation}</button>}
    </fieldset>
  );
}

function Issues({ flag, shut }: { flag: Flag; shut: boolean }) {
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState<string>();
  const link = async (issue: string, on: boolean): Promise<void> => {
    setWrong(undefined);
    try {
      await done(server.flags.link({ project: flag.project, key: flag.key, issue, on }));
      if (on) setKey((now) => (now.trim() === issue ? "" : now)); // else somebody writes the next one
    } catch (error) {
      setWrong(told(error));
    }
  };
  return (
    <div class="field">
      <span>{t.issues}</span>
      <span class="bar facts">
        {(flag.issues ?? []).map((one) => (
          <span class="chip" key={one}>
            <a data-in href={`/issues/${one}`}>{one}</a>
            {!shut && <button type="button" class="mini" aria-label={t.removeValue(one)} onClick={() => void link(one, false)}>×</button>}
          </span>
        ))}
        {!shut && (
          <input
            class="short"
            aria-label={t.linkIssue}
            placeholder="WEB-1"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value.toUpperCase())}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !key.trim()) return;
              event.preventDefault();
              void link(key.trim(), true);
            }}
          />
        )}
      </span>
      <Wrong>{wrong}</Wrong>
    </div>
  );
}

/** Archived it answers nothing; who wants it gone from the code gets the issue for that. */
function End({ flag }: { flag: Flag }) {
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const stale = useStale(flag.project).data?.get(flag.key);
  const { busy, once } = useOnce();
  const where = { project: flag.project, key: flag.key };
  if (!may("flags:write")) return null;
  const isOn = Object.values(flag.environments).some((one) => one.on);
  const archive = async (): Promise<void> => {
    try {
      await done(server.flags.archive(where));
      setAsks(false);
      say(t.archivedNow(flag.key), { title: t.undo, run: () => void tried(server.flags.restore(where)) });
    } catch (error) {
      setWrong(told(error));
    }
  };
  const cleanUp = async (): Promise<void> => {
    const made = await tried(once((wish) => server.flags.clean_up(where, wish)));
    if (made) say(t.cleanUpMade(made.key));
  };
  return (
    <section class="block end">
      {stale && (
        <p class="bar facts"><Badge kind="warn">{t.stale}</Badge><span class="grow">{stale}</span><button type="button" disabled={busy} onClick={() => void cleanUp()}>{t.cleanUp}</button></p>
      )}
      {flag.archived ? (
        <p class="bar"><span class="grow">{t.archivedWhat}</span><button type="button" onClick={() => void tried(server.flags.restore(where))}>{t.restore}</button></p>
      ) : (
        <p class="bar"><span class="grow meta">{flag.dependents?.length ? t.waitFor(flag.dependents.join(", ")) : t.archiveWhat}</span><button type="button" disabled={Boolean(flag.dependents?.length)} onClick={() => setAsks(true)}>{t.archive}</button></p>
      )}
      {asks && (
        <Layer label={t.archive} kind="dialog" onClose={() => setAsks(false)}>
          <div class="create">
            <h2 dir="auto">{t.archiveAsk(flag.name)}</h2>
            <p>{t.archiveWhat}</p>
            {isOn && <label class="field confirm">{t.confirmKey(flag.key)}<input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></label>}
            <Wrong>{wrong}</Wrong>
            <div class="bar">
              <span class="grow" />
              <button type="button" class="plain" onClick={() => setAsks(false)}>{t.cancel}</button>
              <button type="button" class="primary risky" disabled={isOn && typed.trim() !== flag.key} onClick={() => void archive()}>{t.archive}</button>
            </div>
          </div>
        </Layer>
      )}
    </section>
  );
}
