/** Who gets what in one environment, in sentences that are edited in place. Nothing is saved before it was reviewed. */
import type { Environment, Flag } from "@kbwork/client";
import { may } from "../store/session.ts";
import { server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { useAsked } from "./asked.ts";
import { useFlags } from "./catalogue.ts";
import { between } from "./instructions.ts";
import { useCommands } from "./keys.ts";
import { called, type Config, configOf, type Prerequisite, type Target, variationsOf } from "./model.ts";
import { Probe } from "./probe.tsx";
import { discard, edit, faultsOf, pendingOf, rebase } from "./pending.ts";
import { review } from "./asking.ts";
import { Json, Sign } from "./parts.tsx";
import { Chips } from "./chips.tsx";
import { Rules } from "./rules.tsx";
import { Serve } from "./serve.tsx";
import { t } from "./texts.ts";
import { listed, moment, sentences } from "./words.ts";
import { Waiting } from "./waiting.tsx";

export interface Editing {
  readonly flag: Flag;
  readonly environment: Environment;
  readonly config: Config;
  readonly shut: boolean;
  readonly set: (more: Partial<Config>) => void;
}

export function Targeting({ flag, environment }: { flag: Flag; environment: Environment }) {
  const state = flag.environments[environment.key];
  const name = `${flag.project}/${flag.key} ${environment.key}`;
  const pending = pendingOf(name);
  if (!state) return null;
  const saved = { config: configOf(state), version: state.version };
  const config = pending?.draft ?? saved.config;
  const editing: Editing = {
    flag,
    environment,
    config,
    shut: flag.archived || !may("flags:write"),
    set: (more) => edit(name, saved, { ...config, ...more }),
  };
  const instructions = pending ? between(pending.base, pending.draft) : [];
  const again = (now: Flag): void => {
    const moved = now.environments[environment.key];
    if (!moved) return;
    const lost = rebase(name, { config: configOf(moved), version: moved.version });
    say(lost.length ? t.lost(sentences(flag, lost, pending?.base).join(" ")) : t.rebased);
  };
  return (
    <div class="targeting">
      <div class="who">
        <Waiting flag={flag} environment={environment} />
        {pending && pending.version !== saved.version && (
          <div class="trouble" role="alert">
            <p><strong>{t.movedTitle}</strong> {t.moved(pending.version, saved.version)}</p>
            <button type="button" onClick={() => again(flag)}>{t.rebase}</button>
            <button type="button" class="plain" onClick={() => discard(name)}>{t.discard}</button>
          </div>
        )}
        <Flow {...editing} />
        {pending && (
          <PendingBar
            editing={editing}
            base={pending.base}
            instructions={instructions}
            onDiscard={() => discard(name)}
            onReview={() =>
              review({
                project: flag.project,
                key: flag.key,
                environment,
                instructions,
                version: pending.version,
                onDone: () => discard(name),
                onMoved: again,
              })
            }
          />
        )}
      </div>
      <Probe flag={flag} environment={environment} config={config} instructions={instructions} isWhole={!faultsOf(config).length} />
    </div>
  );
}

/** From what is asked first to what is left for everybody else. */
function Flow(editing: Editing) {
  const { flag, config, environment, shut, set } = editing;
  const variations = variationsOf(flag);
  const segments = useAsked(`segments ${flag.project} ${environment.key}`, () => server.flags.segments({ project: flag.project, environment: environment.key })).data ?? [];
  return (
    <>
      <p class={`lead ${config.on ? "is-on" : ""}`}>
        {config.on ? t.isOn(environment.name) : t.isOff(environment.name, called(flag, config.offVariation))}
      </p>
      <Prerequisites {...editing} />
      <Named {...editing} />
      <Rules {...editing} segments={segments.map((one) => one.key)} />
      <section class="block rest">
        <h2>{t.everybodyElse}</h2>
        <div class="bar sentence">
          <span>{t.gets}</span>
          <Serve flag={flag} serves={config.fallthrough} label={t.everybodyElse} shut={shut} onServe={(fallthrough) => set({ fallthrough })} />
        </div>
        <div class="bar sentence">
          <span>{t.whileOff}</span>
          <select aria-label={t.whileOff} disabled={shut} value={String(config.offVariation ?? "")} onChange={(event) => set({ offVariation: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}>
            {variations.map((_, at) => <option key={at} value={String(at)}>{called(flag, at)}</option>)}
            <option value="">{t.programsDefault}</option>
          </select>
        </div>
      </section>
    </>
  );
}

function Prerequisites({ flag, config, shut, set }: Editing) {
  const others = (useFlags(flag.project).data ?? []).filter((one) => one.key !== flag.key);
  const put = (prerequisites: readonly Prerequisite[]): void => set({ prerequisites });
  const free = others.filter((one) => !config.prerequisites.some(({ key }) => key === one.key));
  if (!config.prerequisites.length && (shut || !free.length)) return null;
  return (
    <section class="block">
      <h2>{t.prerequisites}</h2>
      {config.prerequisites.map((wanted) => {
        const other = others.find((one) => one.key === wanted.key);
        return (
          <div class="bar sentence" key={wanted.key}>
            <span>{t.onlyIf}</span>
            <code class="chip">{wanted.key}</code>
            <span>{t.servesWord}</span>
            <select aria-label={t.servedBy(wanted.key)} disabled={shut} value={String(wanted.variation)} onChange={(event) => put(config.prerequisites.map((one) => (one === wanted ? { ...one, variation: Number(event.currentTarget.value) } : one)))}>
              {(other ? variationsOf(other) : [undefined]).map((_, at) => <option key={at} value={String(other ? at : wanted.variation)}>{other ? called(other, at) : `#${wanted.variation + 1}`}</option>)}
            </select>
            {!shut && <button type="button" class="mini remove" aria-label={t.removeOf(wanted.key)} onClick={() => put(config.prerequisites.filter((one) => one !== wanted))}>×</button>}
          </div>
        );
      })}
      {!shut && free.length > 0 && (
        <select class="add" aria-label={t.addPrerequisite} value="" onChange={(event) => put([...config.prerequisites, { key: event.currentTarget.value, variation: 0 }])}>
          <option value="">{t.addPrerequisite}</option>
          {free.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
        </select>
      )}
    </section>
  );
}

/** Those who are named, by what they get: they come before every rule. */
function Named({ flag, environment, config, shut, set }: Editing) {
  const ending = (flag.environments[environment.key]?.expiring ?? []) as unknown as readonly (Target & { at: number })[];
  const kinds = [...new Set(["user", ...config.targets.map((one) => one.contextKind)])];
  const rows = kinds.flatMap((kind) =>
    variationsOf(flag).map((_, at) => config.targets.find((one) => one.contextKind === kind && one.variation === at) ?? { contextKind: kind, variation: at, values: [] }),
  );
  const put = (row: Target, values: readonly string[]): void => {
    const rest = config.targets
      .filter((one) => one.contextKind !== row.contextKind || one.variation !== row.variation)
      .map((one) => (one.contextKind === row.contextKind ? { ...one, values: one.values.filter((key) => !values.includes(key)) } : one));
    set({ targets: [...rest, { ...row, values }].filter((one) => one.values.length) });
  };
  const shown = shut ? rows.filter((row) => row.values.length) : rows;
  if (!shown.length) return null;
  return (
    <section class="block">
      <h2>{t.named}</h2>
      {shown.map((row) => (
        <div class="bar sentence" key={`${row.contextKind} ${row.variation}`}>
          <span class="gets"><span class={`swatch v-${row.variation % 8}`} aria-hidden="true" /> {called(flag, row.variation)}</span>
          <span>{t.forKind(row.contextKind)}</span>
          <Chips label={t.namedFor(row.contextKind, called(flag, row.variation))} values={row.values} shut={shut} place={t.addKeys} onValues={(values) => put(row, values as string[])} />
          {ending.filter((one) => one.contextKind === row.contextKind && one.variation === row.variation).map((one) => <span class="meta bar" key={one.at}><Sign of="clock" /> {t.endsFor(listed(one.values), moment(one.at))}</span>)}
        </div>
      ))}
    </section>
  );
}

interface BarProps {
  readonly editing: Editing;
  readonly base: Config;
  readonly instructions: ReturnType<typeof between>;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
}

function PendingBar({ editing: { flag, config }, base, instructions, onDiscard, onReview }: BarProps) {
  const [fault] = faultsOf(config);
  useCommands([{ id: "flag:review", title: t.review, keys: ["$mod+Enter"], whileWriting: true, when: () => !fault && instructions.length > 0, run: onReview }]);
  return (
    <section class="pending" aria-label={t.notSaved}>
      <details>
        <summary><strong>{t.pending(instructions.length)}</strong></summary>
        <ul class="sentences">{sentences(flag, instructions, base).map((one, at) => <li key={at} dir="auto">{one}</li>)}</ul>
        <Json of={instructions} />
      </details>
      <span class="grow meta" role="status">{fault ? t.fault(fault.rule, fault.why) : t.nothingSaved}</span>
      <button type="button" class="plain" onClick={onDiscard}>{t.discard}</button>
      <button type="button" class="primary" disabled={fault !== undefined || !instructions.length} onClick={onReview}>{t.review} <kbd>Ctrl+Enter</kbd></button>
    </section>
  );
}
