/** Environments side by side: of one flag, and of a whole project; what differs is copied by review. */
import type { Environment, Flag } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import { query } from "../ui/router.ts";
import { told, useAsked } from "./asked.ts";
import { useEnvironments } from "./catalogue.ts";
import { between } from "./instructions.ts";
import { goWith } from "./listed.ts";
import { called, type Config, configOf, pathOf, same } from "./model.ts";
import { Empty, EnvironmentName, Wrong } from "./parts.tsx";
import { review } from "./asking.ts";
import { t } from "./texts.ts";
import { changeWords, type Difference, listed, ruleWords, servesWords } from "./words.ts";

/** Make the flag in one environment what it is in another: as instructions, which are reviewed. */
function copy(flag: Flag, from: Environment, to: Environment): void {
  const [source, goal] = [flag.environments[from.key], flag.environments[to.key]];
  if (!source || !goal) return;
  const instructions = between(configOf(goal), configOf(source));
  if (!instructions.length) return say(t.alike);
  review({ project: flag.project, key: flag.key, environment: to, instructions, version: goal.version });
}

interface Pair {
  readonly from: Environment;
  readonly to: Environment;
}

function usePair(environments: readonly Environment[]): Pair | undefined {
  const named = (name: string, otherwise: Environment | undefined): Environment | undefined => environments.find((one) => one.key === query.value.get(name)) ?? otherwise;
  const from = named("from", environments[0]);
  const to = named("to", environments.find((one) => one !== from));
  return from && to ? { from, to } : undefined;
}

function Choose({ environments, pair }: { environments: readonly Environment[]; pair: Pair }) {
  const select = (name: "from" | "to", of: Environment) => (
    <select class="choose" aria-label={t[name]} value={of.key} onChange={(event) => goWith({ from: pair.from.key, to: pair.to.key, [name]: event.currentTarget.value })}>
      {environments.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
    </select>
  );
  return (
    <div class="bar headline">
      {select("from", pair.from)}
      <button type="button" class="plain" aria-label={t.swap} onClick={() => goWith({ from: pair.to.key, to: pair.from.key })}>⇄</button>
      {select("to", pair.to)}
    </div>
  );
}

export function CompareFlag({ flag, environments }: { flag: Flag; environments: readonly Environment[] }) {
  const pair = usePair(environments);
  if (!pair) return <Empty title={t.oneEnvironment} />;
  const { from, to } = pair;
  const [one, other] = [from, to].map(({ key }) => flag.environments[key] && configOf(flag.environments[key]!));
  if (!one || !other) return null;
  const rows = ROWS.map(([title, tell]) => [title, tell(flag, one), tell(flag, other)] as const);
  return (
    <section>
      <Choose environments={environments} pair={pair} />
      <table class="side-by-side">
        <thead><tr><th scope="col"><span class="hidden">{t.part}</span></th><th scope="col"><EnvironmentName of={from} /></th><th scope="col"><EnvironmentName of={to} /></th></tr></thead>
        <tbody>
          {rows.map(([title, left, right]) => (
            <tr key={title} class={same(left, right) ? "" : "differs"}>
              <th scope="row">{title}{!same(left, right) && <span class="hidden"> {t.differs}</span>}</th>
              {[left, right].map((words, at) => <td key={at}>{words.length ? words.map((line, place) => <p key={place} dir="auto">{line}</p>) : <span class="meta">{t.none}</span>}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {may("flags:write") && !flag.archived && (
        <div class="bar headline">
          <button type="button" onClick={() => copy(flag, from, to)}>{t.copyTo(from.name, to.name)}</button>
          <button type="button" class="plain" onClick={() => copy(flag, to, from)}>{t.copyTo(to.name, from.name)}</button>
        </div>
      )}
    </section>
  );
}

const ROWS: readonly (readonly [string, (flag: Flag, config: Config) => string[]])[] = [
  [t.state, (_, config) => [config.on ? t.on : t.off]],
  [t.prerequisites, (_, config) => config.prerequisites.map((one) => t.does.prerequisite(one.key, one.variation))],
  [t.named, (flag, config) => config.targets.map((one) => `${called(flag, one.variation)} ${t.forKind(one.contextKind)}: ${listed(one.values, 20)}`)],
  [t.rules, (flag, config) => config.rules.map((rule) => ruleWords(flag, rule))],
  [t.everybodyElse, (flag, config) => [servesWords(flag, config.fallthrough)]],
  [t.whileOffShort, (flag, config) => [called(flag, config.offVariation)]],
];

export function CompareProject({ project }: { project: string }) {
  const environments = useEnvironments(project).data ?? [];
  const pair = usePair(environments);
  if (!pair) return <Empty title={t.oneEnvironment} what={t.oneEnvironmentWhat} />;
  return (
    <div class="page flag-page narrow">
      <h1>{t.places.compare}</h1>
      <p class="meta">{t.compareWhat(pair.to.name, pair.from.name)}</p>
      <Choose environments={environments} pair={pair} />
      <Differences key={`${pair.from.key} ${pair.to.key}`} project={project} pair={pair} />
    </div>
  );
}

function Differences({ project, pair: { from, to } }: { project: string; pair: Pair }) {
  const [busy, setBusy] = useState("");
  const asked = useAsked(from.key === to.key ? null : `compare ${project} ${from.key} ${to.key}`, () => server.flags.compare({ project, from: from.key, to: to.key }));
  const flags = useAsked(`whole flags ${project}`, () => server.flags.list({ project })).data ?? [];
  if (!asked.data) return <Wrong>{asked.wrong}</Wrong>;
  const take = async (key: string): Promise<void> => {
    setBusy(key);
    try {
      copy(await server.flags.get({ project, key }), from, to);
    } catch (error) {
      say(told(error));
    } finally {
      setBusy("");
    }
  };
  const found = asked.data as unknown as Record<"flags" | "segments", { key: string; diff: Difference[] }[]>;
  if (!found.flags.length && !found.segments.length) return <Empty title={t.alike} />;
  return (
    <ul class="lines">
      {found.flags.map(({ key, diff }) => {
        const flag = flags.find((one) => one.key === key);
        return (
          <li key={key}>
            <div class="grow">
              <a data-in href={`${pathOf(project, key, "compare")}?from=${encodeURIComponent(from.key)}&to=${encodeURIComponent(to.key)}`}><strong dir="auto">{flag?.name ?? key}</strong></a>
              <ul class="sentences">{changeWords(flag ?? { variations: [] }, diff).map((one, at) => <li key={at} dir="auto">{one}</li>)}</ul>
            </div>
            {may("flags:write") && <button type="button" disabled={busy === key} aria-label={t.copyOne(key, to.name)} onClick={() => void take(key)}>→ {to.name}</button>}
          </li>
        );
      })}
      {found.segments.map(({ key, diff }) => (
        <li key={`segment ${key}`}>
          <div class="grow">
            <a data-in href={pathOf(project, "segments", from.key, key)}><strong dir="auto">{key}</strong></a> <span class="meta">{t.segment}</span>
            <ul class="sentences">{diff[0]?.path === "" ? <li>{diff[0].from === null ? t.onlyIn(from.name) : t.onlyIn(to.name)}</li> : changeWords({ variations: [] }, diff).map((one, at) => <li key={at} dir="auto">{one}</li>)}</ul>
          </div>
        </li>
      ))}
    </ul>
  );
}
