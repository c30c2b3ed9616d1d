/** A new rollout by a plan. */
import type { FlagPlan } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { told } from "./asked.ts";
import { ALL, called, configOf, variationsOf } from "./model.ts";
import { EnvironmentName, Wrong } from "./parts.tsx";
import type { Placed } from "./rollout.tsx";
import { t } from "./texts.ts";
import { done, useOnce } from "./writing.ts";

export const LIVE: readonly FlagPlan["state"][] = ["waiting", "running", "held"];

interface Step {
  readonly percent: string;
  readonly minutes: string;
}

const BEGIN: readonly Step[] = [{ percent: "10", minutes: "60" }, { percent: "50", minutes: "60" }, { percent: "100", minutes: "0" }];

export function PlanDialog({ flag, environment, onClose }: Placed & { onClose: () => void }) {
  const state = flag.environments[environment.key];
  const now = state && configOf(state).fallthrough.variation;
  const [variation, setVariation] = useState(variationsOf(flag).findIndex((_, at) => at !== now));
  const [steps, setSteps] = useState(BEGIN);
  const [errors, setErrors] = useState("1");
  const [guards, setGuards] = useState(true);
  const [hook, setHook] = useState("");
  const [comment, setComment] = useState("");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const { busy, once } = useOnce();
  const put = (at: number, more: Partial<Step>): void => setSteps(steps.map((one, other) => (one === steps[at] && at === other ? { ...one, ...more } : one)));
  const make = async (): Promise<void> => {
    setWrong(undefined);
    try {
      const asked = {
        project: flag.project,
        key: flag.key,
        environment: environment.key,
        variation,
        steps: steps.map((one) => ({ weight: Math.round((Number(one.percent) * ALL) / 100), hold_minutes: Number(one.minutes) })),
        checks: [
          ...(guards ? [{ kind: "errors" as const, percent: Number(errors), back: true }] : []),
          ...(hook.trim() ? [{ kind: "hook" as const, url: hook.trim(), back: true }] : []),
        ],
        ...(comment && { comment }),
      };
      const made = await done(once((wish) => server.flags.plan_save(asked, wish)));
      onClose();
      say(made.change === null ? t.planStarted : t.asked(made.change));
    } catch (error) {
      setWrong(told(error));
    }
  };
  return (
    <Layer label={t.newPlan} kind="dialog" onClose={onClose}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void make(); }}>
        <h2 class="bar"><span class="cut" dir="auto">{t.planOf(flag.name)}</span><EnvironmentName of={environment} /></h2>
        <label class="field">
          {t.rollsOut}
          <select value={String(variation)} onChange={(event) => setVariation(Number(event.currentTarget.value))}>
            {variationsOf(flag).map((_, at) => <option key={at} value={String(at)}>{called(flag, at)}</option>)}
          </select>
        </label>
        <fieldset class="values">
          <legend class="meta">{t.planSteps}</legend>
          {steps.map((one, at) => (
            <div class="bar" key={at}>
              <input type="number" min="0" max="100" step="0.001" required aria-label={t.percentOf(at + 1)} value={one.percent} onInput={(event) => put(at, { percent: event.currentTarget.value })} />
              <span>% {t.for}</span>
              <input type="number" min="0" max="43200" step="1" required aria-label={t.minutesOf(at + 1)} value={one.minutes} onInput={(event) => put(at, { minutes: event.currentTarget.value })} />
              <span class="grow">{t.minutes}</span>
              <button type="button" class="mini" aria-label={t.removeStep(at + 1)} disabled={steps.length < 2} onClick={() => setSteps(steps.filter((_, other) => other !== at))}>×</button>
            </div>
          ))}
          <button type="button" class="plain" onClick={() => setSteps([...steps, steps.at(-1)!])}>{t.addStep}</button>
        </fieldset>
        <label class="check">
          <input type="checkbox" checked={guards} onChange={(event) => setGuards(event.currentTarget.checked)} />
          <span>{t.backOnErrors}</span>
        </label>
        {guards && <label class="field short">{t.mostErrors}<input type="number" min="0" max="100" step="0.1" required value={errors} onInput={(event) => setErrors(event.currentTarget.value)} /></label>}
        <label class="field">{t.hook}<input type="url" value={hook} maxLength={2000} autocomplete="off" placeholder="https://" onInput={(event) => setHook(event.currentTarget.value)} /></label>
        <label class="field">{environment.require_approval ? t.whyAsk : t.why}<textarea rows={2} maxLength={2000} value={comment} onInput={(event) => setComment(event.currentTarget.value)} /></label>
        {environment.critical && <label class="field confirm">{t.confirmName(environment.key)}<input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></label>}
        <Wrong>{wrong}</Wrong>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class={`primary${environment.critical ? " risky" : ""}`} disabled={busy || (environment.critical && typed.trim() !== environment.key)}>{environment.require_approval ? t.ways.ask.act : t.startPlan}</button>
        </div>
      </form>
    </Layer>
  );
}
