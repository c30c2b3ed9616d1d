/** One flag: what it is, and its screens, each in one environment. */
import type { Environment, Flag } from "@kbwork/client";
import { lazily } from "./lazily.tsx";
import { may } from "../store/session.ts";
import { go } from "../ui/router.ts";
import { useEnvironments, useFlag, useStale } from "./catalogue.ts";
import { useCommands } from "./keys.ts";
import { environmentOf, goWith } from "./listed.ts";
import { Owner } from "./row.tsx";
import { KILL_SWITCH, pathOf } from "./model.ts";
import { Badge, Empty, EnvironmentName, Sign, Toggle } from "./parts.tsx";
import { askTurn } from "./quick.tsx";
import { Targeting } from "./targeting.tsx";
import { t } from "./texts.ts";

const TABS = ["targeting", "rollout", "history", "compare", "settings"] as const;
export type Tab = (typeof TABS)[number];

const History = lazily(() => import("./history.tsx").then((made) => made.History));
const Compare = lazily(() => import("./compare.tsx").then((made) => made.CompareFlag));
const Rollout = lazily(() => import("./rollout.tsx").then((made) => made.Rollout));
const Settings = lazily(() => import("./settings.tsx").then((made) => made.FlagSettings));

export function FlagPage({ project, of, tab }: { project: string; of: string; tab: string | undefined }) {
  const asked = useFlag(project, of);
  const environments = useEnvironments(project).data ?? [];
  const environment = environmentOf(project, environments);
  const flag = asked.data;
  useCommands([
    { id: "flag:turn", title: t.keys.turn, keys: ["t"], when: () => flag !== undefined && environment !== undefined, run: () => askTurn(flag!, environment!) },
    { id: "flag:back", title: t.keys.back, keys: ["Escape"], run: () => go(pathOf(project)) },
    ...environments.slice(0, 9).map((one, at) => ({ id: `flag:env-${one.key}`, title: t.keys.to(one.name), keys: [String(at + 1)], run: () => goWith({ env: one.key }) })),
  ]);
  if (!flag) return asked.wrong ? <Empty title={asked.wrong}><a data-in href={pathOf(project)}>{t.toFlags}</a></Empty> : <p class="meta pad late-word">{t.loading}</p>;
  const at: Tab = TABS.find((one) => one === tab) ?? "targeting";
  return (
    <div class="page flag-page">
      <Head flag={flag} />
      <nav class="tabs" aria-label={t.screensOf(flag.name)}>
        {TABS.map((one) => (
          <a key={one} data-in href={pathOf(project, flag.key, ...(one === "targeting" ? [] : [one])) + location.search} aria-current={one === at ? "page" : undefined}>{t.tabs[one]}</a>
        ))}
      </nav>
      {!environments.length && <Empty title={t.noEnvironments} what={t.noEnvironmentsWhat} />}
      {environment && (at === "targeting" || at === "history" || at === "rollout") && <Side flag={flag} environments={environments} environment={environment} turns={at === "targeting"} />}
      {environment && at === "targeting" && <Targeting key={environment.key} flag={flag} environment={environment} />}
      {environment && at === "rollout" && <Rollout flag={flag} environment={environment} />}
      {environment && at === "history" && <History flag={flag} environment={environment} />}
      {at === "compare" && <Compare flag={flag} environments={environments} />}
      {at === "settings" && <Settings flag={flag} />}
    </div>
  );
}

function Head({ flag }: { flag: Flag }) {
  const stale = useStale(flag.project).data?.get(flag.key);
  return (
    <header class="flag-head">
      <h1 dir="auto">{flag.name}</h1>
      <p class="bar facts">
        <code class="chip">{flag.key}</code>
        <span class="meta">{t.kinds[flag.kind]}</span>
        {flag.archived && <Badge kind="bad">{t.archived}</Badge>}
        {flag.temporary && <Badge title={t.temporaryWhat}>{t.temporary}</Badge>}
        {flag.tags.includes(KILL_SWITCH) && <Badge kind="warn"><Sign of="stop" /> {t.killSwitch}</Badge>}
        {flag.tags.filter((tag) => tag !== KILL_SWITCH).map((tag) => <span class="chip" key={tag}>{tag}</span>)}
        {flag.maintainers.map((id) => <Owner key={id} id={id} />)}
        {flag.issues?.map((key) => <a class="chip" key={key} data-in href={`/issues/${key}`}>{key}</a>)}
      </p>
      {flag.description && <p class="about" dir="auto">{flag.description}</p>}
      {stale && <p class="stale-why"><Badge kind="warn">{t.stale}</Badge> {stale}</p>}
    </header>
  );
}

/** Every environment with its state; the one that is looked at is on. */
function Side({ flag, environments, environment, turns }: { flag: Flag; environments: readonly Environment[]; environment: Environment; turns: boolean }) {
  return (
    <ul class="envs" aria-label={t.environments}>
      {environments.map((one) => (
        <li key={one.key} class={one.key === environment.key ? "is" : ""}>
          <button type="button" class="plain" aria-pressed={one.key === environment.key} onClick={() => goWith({ env: one.key })}><EnvironmentName of={one} /></button>
          {flag.environments[one.key] && (
            <Toggle
              on={flag.environments[one.key]!.on}
              critical={one.critical}
              shut={!turns || flag.archived || !may("flags:write")}
              label={t.turnLabel(flag.name, one.name)}
              onTurn={() => askTurn(flag, one)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
