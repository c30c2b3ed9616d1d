/** One segment: who is in it by name, who is not, and by which rules others are. */
import type { Environment, FlagChange, Segment } from "@kbwork/client";
import { useState } from "preact/hooks";
import { random, server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { told, useAsked } from "./asked.ts";
import { useEnvironments } from "./catalogue.ts";
import { Chips } from "./chips.tsx";
import { Clauses, FRESH_CLAUSE } from "./clauses.tsx";
import { ALL, type Clause, type Instruction, pathOf, same } from "./model.ts";
import { Empty, EnvironmentName, Json, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { sentences } from "./words.ts";
import { done, useOnce } from "./writing.ts";

interface SegmentRule {
  readonly ruleId: string;
  readonly clauses: readonly Clause[];
  readonly weight?: number;
}

interface Body {
  readonly name: string;
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  readonly rules: readonly SegmentRule[];
}

const bodyOf = (of: Segment): Body => ({ name: of.name, included: of.included, excluded: of.excluded, rules: of.rules as unknown as SegmentRule[] });

function between(from: Body, to: Body): Instruction[] {
  const found: Instruction[] = [];
  if (from.name !== to.name) found.push({ kind: "updateName", value: to.name });
  for (const [list, name] of [["included", "Included"], ["excluded", "Excluded"]] as const) {
    const come = to[list].filter((one) => !from[list].includes(one));
    const gone = from[list].filter((one) => !to[list].includes(one));
    if (come.length) found.push({ kind: `add${name}Targets`, values: come });
    if (gone.length) found.push({ kind: `remove${name}Targets`, values: gone });
  }
  if (!same(from.rules, to.rules)) found.push({ kind: "replaceRules", rules: to.rules });
  return found;
}

export function SegmentPage({ project, environment, of }: { project: string; environment: string; of: string }) {
  const asked = useAsked(`segment ${project} ${environment} ${of}`, () => server.flags.segment_get({ project, environment, key: of }));
  const place = useEnvironments(project).data?.find((one) => one.key === environment);
  if (!asked.data || !place) return asked.wrong ? <Empty title={asked.wrong}><a data-in href={`${pathOf(project)}?show=segments`}>{t.toSegments}</a></Empty> : <p class="meta pad late-word">{t.loading}</p>;
  return <Editor key={of} segment={asked.data} environment={place} />;
}

interface Draft {
  /** As it was when the editing began. */
  readonly base: Body;
  readonly body: Body;
}

function Editor({ segment, environment }: { segment: Segment; environment: Environment }) {
  const [draft, setDraft] = useState<Draft>();
  const shut = !may("flags:write");
  const body = draft?.body ?? bodyOf(segment);
  const set = (more: Partial<Body>): void => setDraft({ base: draft?.base ?? bodyOf(segment), body: { ...body, ...more } });
  /** What was written on meanwhile stays, and goes by what was sent. */
  const drop = ({ body: base }: Draft): void => setDraft((now) => now && (same(now.body, base) ? undefined : { base, body: now.body }));
  const others = useAsked(`segments ${segment.project} ${environment.key}`, () => server.flags.segments({ project: segment.project, environment: environment.key })).data ?? [];
  const put = (at: number, rule: SegmentRule): void => set({ rules: body.rules.map((one, other) => (other === at ? rule : one)) });
  const attributes = [...new Set(body.rules.flatMap((rule) => rule.clauses.map((one) => one.attribute ?? "")))].filter(Boolean);
  return (
    <div class="page flag-page narrow segment-page">
      <header class="flag-head">
        <input class="title-of" aria-label={t.name} value={body.name} disabled={shut} maxLength={500} onInput={(event) => set({ name: event.currentTarget.value })} />
        <p class="bar facts"><code class="chip">{segment.key}</code><EnvironmentName of={environment} /><span class="meta">{segment.used_by.length ? t.usedBy(segment.used_by.join(", ")) : t.unused}</span></p>
      </header>
      <section class="block"><h2>{t.included}</h2><Chips label={t.included} values={body.included} shut={shut} place={t.addKeys} onValues={(included) => set({ included: included as string[] })} /></section>
      <section class="block"><h2>{t.excluded}</h2><Chips label={t.excluded} values={body.excluded} shut={shut} place={t.addKeys} onValues={(excluded) => set({ excluded: excluded as string[] })} /></section>
      <section class="block">
        <h2>{t.alsoBy}</h2>
        <ol class="rules">
          {body.rules.map((rule, at) => (
            <li class="rule" key={rule.ruleId} aria-label={t.ruleNumber(at + 1, "")}>
              <header class="bar">
                <span class="meta number grow">{at + 1}</span>
                {!shut && <button type="button" class="mini remove" aria-label={t.removeRule(at + 1)} onClick={() => set({ rules: body.rules.filter((_, other) => other !== at) })}>×</button>}
              </header>
              <Clauses clauses={rule.clauses} of={t.ruleNumber(at + 1, "")} shut={shut} segments={others.map((one) => one.key).filter((key) => key !== segment.key)} attributes={attributes} onClauses={(clauses) => put(at, { ...rule, clauses })} />
              <label class="bar sentence percent">
                <span class="meta">{t.shareOfThem}</span>
                <input type="number" min={0} max={100} step="any" value={(rule.weight ?? ALL) / 1000} disabled={shut} onInput={(event) => put(at, { ...rule, weight: Math.round(Number(event.currentTarget.value) * 1000) })} /> %
              </label>
            </li>
          ))}
        </ol>
        {!shut && <button type="button" class="plain" onClick={() => set({ rules: [...body.rules, { ruleId: random().slice(0, 12), clauses: [FRESH_CLAUSE] }] })}>{t.addRule}</button>}
      </section>
      {draft && <Save segment={segment} environment={environment} instructions={between(draft.base, draft.body)} onSaved={() => drop(draft)} onDiscard={() => setDraft(undefined)} />}
      {!draft && !shut && <Delete segment={segment} />}
    </div>
  );
}

interface SaveProps {
  readonly segment: Segment;
  readonly environment: Environment;
  readonly instructions: readonly Instruction[];
  readonly onSaved: () => void;
  readonly onDiscard: () => void;
}

function Save({ segment, environment, instructions, onSaved, onDiscard }: SaveProps) {
  const [comment, setComment] = useState("");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const { busy, once } = useOnce();
  const asks = environment.require_approval;
  const names = environment.critical && !asks;
  const save = async (): Promise<void> => {
    if (busy) return;
    setWrong(undefined);
    try {
      const where = { project: segment.project, environment: environment.key, key: segment.key };
      const asked = { ...where, instructions, ...(comment.trim() && { comment: comment.trim() }) };
      const made = await done(once((wish) => server.flags.segment_update(asked, wish), JSON.stringify(asked)));
      onSaved();
      setComment((now) => (now === comment ? "" : now));
      setTyped("");
      if (made.change) sayAsked(segment, made.change);
      else say(t.saved(segment.key, environment.name));
    } catch (error) {
      setWrong(told(error));
    }
  };
  return (
    <form class="pending create" aria-label={t.notSaved} onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <ul class="sentences">{sentences({ variations: [] }, instructions, undefined).map((one, at) => <li key={at} dir="auto">{one}</li>)}</ul>
      <Json of={instructions} />
      {segment.used_by.length > 0 && <p class="meta">{t.reaches(segment.used_by.join(", "))}</p>}
      {asks && <label class="field">{t.whyAsk}<textarea rows={2} value={comment} onInput={(event) => setComment(event.currentTarget.value)} /></label>}
      {names && <label class="field confirm">{t.confirmName(environment.key)}<input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></label>}
      <Wrong>{wrong}</Wrong>
      <div class="bar">
        <button type="button" class="plain" onClick={onDiscard}>{t.discard}</button>
        <button type="submit" class="primary" disabled={busy || !instructions.length || (names && typed.trim() !== environment.key)}>{asks ? t.ways.ask.act : t.save}</button>
      </div>
    </form>
  );
}

const sayAsked = ({ project }: Segment, { id }: FlagChange): void =>
  say(t.asked(id), { title: t.open, run: () => go(pathOf(project, "changes", id)) });

function Delete({ segment }: { segment: Segment }) {
  const [asks, setAsks] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const end = async (): Promise<void> => {
    try {
      const { change } = await done(server.flags.segment_delete({ project: segment.project, environment: segment.environment, key: segment.key }));
      if (!change) return go(`${pathOf(segment.project)}?show=segments`);
      setAsks(false);
      sayAsked(segment, change);
    } catch (error) {
      setWrong(told(error));
    }
  };
  const used = segment.used_by.length > 0;
  return (
    <section class="block end">
      <p class="bar">
        <span class="grow meta">{used ? t.inUse(segment.used_by.join(", ")) : t.deleteSegmentWhat}</span>
        {asks ? <button type="button" class="primary risky" onClick={() => void end()}>{t.deleteReally}</button> : <button type="button" disabled={used} onClick={() => setAsks(true)}>{t.delete}</button>}
      </p>
      <Wrong>{wrong}</Wrong>
    </section>
  );
}
