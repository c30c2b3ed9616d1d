/** A flag in an environment: rollouts by a plan, addresses that change it, and checks that hold it. */
import type { Environment, Flag, FlagCheck, FlagPlan, FlagTrigger } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { copy as copyText } from "../ui/clipboard.ts";
import { exactly, when } from "../ui/texts.ts";
import { useAsked } from "./asked.ts";
import { nameOf } from "./changes.tsx";
import { CheckDialog } from "./check.tsx";
import { called, pathOf, variationsOf } from "./model.ts";
import { Badge, VariationName } from "./parts.tsx";
import { LIVE, PlanDialog } from "./plan.tsx";
import { t } from "./texts.ts";
import { moment, percent } from "./words.ts";
import { tried, useOnce } from "./writing.ts";

export interface Placed {
  readonly flag: Flag;
  readonly environment: Environment;
}

const STATES = { waiting: undefined, running: "good", held: "warn", stopped: "bad", done: "good" } as const;

export function Rollout({ flag, environment }: Placed) {
  const shut = flag.archived || !may("flags:write");
  return (
    <>
      <Plans flag={flag} environment={environment} shut={shut} />
      <Triggers key={`triggers ${environment.key}`} flag={flag} environment={environment} shut={shut} />
      <Checks flag={flag} environment={environment} shut={shut} />
    </>
  );
}

interface Some extends Placed {
  readonly shut: boolean;
}

function Plans({ flag, environment, shut }: Some) {
  const where = { project: flag.project, key: flag.key };
  const found = (useAsked(`plans ${flag.project} ${flag.key}`, () => server.flags.plans(where)).data ?? []).filter((one) => one.environment === environment.key);
  const [asks, setAsks] = useState(false);
  return (
    <section class="block" aria-label={t.plans}>
      <h2>{t.plans}</h2>
      <ul class="lines" aria-label={t.plans}>{found.map((one) => <Plan key={one.id} flag={flag} plan={one} shut={shut} />)}</ul>
      {!found.length && <p class="meta">{t.plansWhat}</p>}
      {!shut && <button type="button" onClick={() => setAsks(true)}>{t.newPlan}</button>}
      {asks && <PlanDialog flag={flag} environment={environment} onClose={() => setAsks(false)} />}
    </section>
  );
}

function Plan({ flag, plan, shut }: { flag: Flag; plan: FlagPlan; shut: boolean }) {
  const kind = STATES[plan.state];
  const steps = plan.steps as unknown as readonly { weight: number; hold_minutes: number }[];
  const stop = (back: boolean): void => void tried(server.flags.plan_stop({ project: flag.project, id: plan.id, back }));
  return (
    <li>
      <Badge {...(kind && { kind })}>{t.planStates[plan.state]}</Badge>
      <div class="grow">
        <VariationName flag={flag} at={plan.variation} />
        <ol class="stairs" aria-label={t.planSteps}>
          {steps.map((one, at) => (
            <li key={at} aria-current={at + 1 === plan.step ? "step" : undefined} class={at < plan.step ? "is" : ""} title={t.heldFor(one.hold_minutes)}>{percent(one.weight)}</li>
          ))}
        </ol>
        {plan.reason && <p class="meta" dir="auto">{plan.reason}</p>}
        {plan.state === "running" && plan.next_at !== null && <p class="meta">{t.heldUntil(moment(plan.next_at))}</p>}
        {plan.state === "waiting" && plan.change !== null && <a data-in href={pathOf(flag.project, "changes", plan.change)}>{t.asked(plan.change)}</a>}
        {!shut && LIVE.includes(plan.state) && (
          <p class="bar">
            <button type="button" onClick={() => stop(false)}>{t.stopPlan}</button>
            {plan.step > 0 && <button type="button" class="risky" onClick={() => stop(true)}>{t.stopAndBack}</button>}
          </p>
        )}
      </div>
      <span class="meta" title={exactly(plan.created_at)}>{nameOf(plan.created_by)} · {when(plan.created_at)}</span>
    </li>
  );
}

type Action = FlagTrigger["action"];

function Triggers({ flag, environment, shut }: Some) {
  const where = { project: flag.project, key: flag.key };
  const found = (useAsked(`triggers ${flag.project} ${flag.key}`, () => server.flags.triggers(where)).data ?? []).filter((one) => one.environment === environment.key);
  const [action, setAction] = useState("off");
  const [made, setMade] = useState<string>();
  const { busy, once } = useOnce();
  const make = async (): Promise<void> => {
    const variation = action === "on" || action === "off" ? {} : { variation: Number(action) };
    const asked = { ...where, environment: environment.key, action: ("variation" in variation ? "variation" : action) as Action, ...variation };
    const done = await tried(once((wish) => server.flags.trigger_save(asked, wish), JSON.stringify(asked)));
    if (done?.url) setMade(done.url);
  };
  return (
    <section class="block" aria-label={t.triggers}>
      <h2>{t.triggers}</h2>
      <p class="meta">{t.triggersWhat}</p>
      <ul class="lines" aria-label={t.triggers}>
        {found.map((one) => (
          <li key={one.id}>
            <span class="grow">{t.triggerDoes(one.action, called(flag, one.variation))}</span>
            <span class="meta">{t.actsAs(nameOf(one.created_by))} · {one.used_at === null ? t.neverUsed : t.lastAsked(when(one.used_at))}</span>
            {!shut && <Twice act={() => void tried(server.flags.trigger_delete({ project: flag.project, id: one.id }))} />}
          </li>
        ))}
      </ul>
      {made && (
        <p class="bar facts" role="status">
          <strong>{t.addressOnce}</strong><code class="secret">{made}</code>
          <button type="button" onClick={() => copyText(made, t.copied, t.copyYourself)}>{t.copy}</button>
          <button type="button" onClick={() => setMade(undefined)}>{t.keptIt}</button>
        </p>
      )}
      {!shut && (
        <p class="bar facts">
          <select class="choose" aria-label={t.triggerTo} value={action} onChange={(event) => setAction(event.currentTarget.value)}>
            <option value="off">{t.triggerDoes("off", "")}</option>
            <option value="on">{t.triggerDoes("on", "")}</option>
            {variationsOf(flag).map((_, at) => <option key={at} value={String(at)}>{t.triggerDoes("variation", called(flag, at))}</option>)}
          </select>
          <button type="button" disabled={busy} onClick={() => void make()}>{t.newTrigger}</button>
        </p>
      )}
    </section>
  );
}

function Checks({ flag, environment, shut }: Some) {
  const where = { project: flag.project, environment: environment.key };
  const found = (useAsked(`checks ${flag.project} ${environment.key}`, () => server.flags.checks(where)).data ?? []).filter((one) => flag.key in one.expected);
  const [asks, setAsks] = useState(false);
  return (
    <section class="block" aria-label={t.checks}>
      <h2>{t.checks}</h2>
      <p class="meta">{t.checksWhat}</p>
      <ul class="lines" aria-label={t.checks}>{found.map((one) => <Check key={one.id} flag={flag} check={one} shut={shut} />)}</ul>
      {!shut && <button type="button" onClick={() => setAsks(true)}>{t.newCheck}</button>}
      {asks && <CheckDialog flag={flag} environment={environment} onClose={() => setAsks(false)} />}
    </section>
  );
}

function Check({ flag, check, shut }: { flag: Flag; check: FlagCheck; shut: boolean }) {
  const isBroken = check.broken.includes(flag.key);
  return (
    <li>
      <Badge kind={isBroken ? "bad" : "good"}>{isBroken ? t.broken : t.holds}</Badge>
      <span class="grow"><strong dir="auto">{check.name}</strong><br /><code class="cut">{JSON.stringify(check.context)}</code></span>
      <span class="meta">{check.enforce ? t.enforced : t.onlyTold}</span>
      {!shut && <Twice act={() => void tried(server.flags.check_delete({ project: flag.project, id: check.id }))} />}
    </li>
  );
}

/** What is gone then is asked for twice. */
function Twice({ act }: { act: () => void }) {
  const [asks, setAsks] = useState(false);
  return asks
    ? <button type="button" class="primary risky" onBlur={() => setAsks(false)} onClick={act}>{t.deleteReally}</button>
    : <button type="button" class="plain" onClick={() => setAsks(true)}>{t.delete}</button>;
}
