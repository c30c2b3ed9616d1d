/** Before anything is saved: what changes, in sentences; what it reaches; and whether it goes now, later or by others. */
import type { Environment, Flag, FlagChange, Impact } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { today } from "../store/clock.ts";
import { offlineSince } from "../store/session.ts";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { number } from "../ui/texts.ts";
import { told } from "./asked.ts";
import { isAdmin } from "../store/rights.ts";
import type { Wish } from "../store/wish.ts";
import { review, reviewed, type Reviewed } from "./asking.ts";
import { learnFlag, useFlag } from "./catalogue.ts";
import { between } from "./instructions.ts";
import { type Config, configOf, KILL_SWITCH, pathOf } from "./model.ts";
import { Badge, EnvironmentName, Json, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { sentences } from "./words.ts";
import { done, movedTo, useOnce } from "./writing.ts";

export function ReviewDialog() {
  return reviewed.value ? <Form key={JSON.stringify(reviewed.value.instructions)} of={reviewed.value} /> : null;
}

type Way = "now" | "later" | "ask" | "bypass";

interface Tried {
  readonly impact?: Impact;
  /** Why it does not fit. */
  readonly wrong?: string;
  readonly moved?: Flag;
}

/** All of it as if it were saved, and nothing is. */
function useTried(of: Reviewed): Tried | undefined {
  const [found, setFound] = useState<Tried>();
  useEffect(() => {
    let late = false;
    const { project, key, environment, instructions, version } = of;
    const where = { project, key, environment: environment.key, instructions };
    Promise.all([server.flags.update({ ...where, versions: { [environment.key]: version }, dry_run: true }), server.flags.impact(where)]).then(
      ([, impact]) => late || setFound({ impact }),
      (error: unknown) => {
        if (late) return;
        const moved = movedTo(error);
        setFound(moved ? { moved } : { wrong: told(error) });
      },
    );
    return () => {
      late = true;
    };
  }, [of]);
  return found;
}

function Form({ of }: { of: Reviewed }) {
  const { project, key, environment, instructions } = of;
  const flag = useFlag(project, key).data;
  const tried = useTried(of);
  const [way, setWay] = useState<Way>(environment.require_approval ? "ask" : "now");
  const [comment, setComment] = useState("");
  const [at, setAt] = useState("");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [moved, setMoved] = useState<Flag>();
  const { busy, once } = useOnce();
  const close = (): void => {
    reviewed.value = undefined;
  };
  const isDirect = way === "now" || way === "bypass";
  // What has to stop is stopped without typing.
  const names = isDirect && environment.critical && !flag?.tags.includes(KILL_SWITCH);
  const isReady = !busy && tried?.impact !== undefined && (!names || typed.trim() === environment.key) && (way !== "later" || at !== "");
  const current = moved ?? tried?.moved;
  const send = async (): Promise<void> => {
    if (!isReady) return;
    setWrong(undefined);
    try {
      const before = flag?.environments[environment.key];
      const said = await done(once((wish) => sent(of, way, comment, at, wish, before && configOf(before))));
      close();
      of.onDone?.();
      say(said.text, said.act);
    } catch (error) {
      setMoved(movedTo(error));
      if (!movedTo(error)) setWrong(told(error));
    }
  };
  return (
    <Layer label={t.reviewOf(key, environment.name)} kind="dialog" onClose={close}>
      <form
        class="create review"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 class="bar"><span class="cut" dir="auto">{flag?.name ?? key}</span><EnvironmentName of={environment} /></h2>
        {flag && (
          <ul class="sentences" aria-label={t.whatChanges}>
            {sentences(flag, instructions, flag.environments[environment.key] && configOf(flag.environments[environment.key]!)).map((one, index) => <li key={index} dir="auto">{one}</li>)}
          </ul>
        )}
        <Json of={instructions} />
        <Reach tried={tried} />
        {current && <Moved flag={current} of={of} onClose={close} />}
        <fieldset class="ways">
          <legend class="meta">{t.how}</legend>
          <Ways environment={environment} way={way} onWay={setWay} />
          {(way === "later" || way === "ask") && (
            <label class="field">
              {way === "ask" ? t.whenApproved : t.when}
              <input type="datetime-local" value={at} min={localNow()} required={way === "later"} onInput={(event) => setAt(event.currentTarget.value)} />
            </label>
          )}
        </fieldset>
        {(way !== "later" || environment.require_approval) && (
          <label class="field">
            {way === "ask" ? t.whyAsk : t.why}
            <textarea rows={2} maxLength={2000} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
          </label>
        )}
        {names && (
          <label class="field confirm">
            {t.confirmName(environment.key)}
            <input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
          </label>
        )}
        <Wrong>{wrong}</Wrong>
        {offlineSince.value !== undefined && <p class="meta">{t.noAnswer}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={close}>{t.keepEditing}</button>
          <button type="submit" class={`primary${names ? " risky" : ""}`} disabled={!isReady}>{t.ways[way].act}</button>
        </div>
      </form>
    </Layer>
  );
}

function localNow(): string {
  const now = today();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What came of it, and the way on or back. */
interface Said {
  readonly text: string;
  readonly act?: { readonly title: string; readonly run: () => void };
}

async function sent(of: Reviewed, way: Way, comment: string, at: string, wish: Wish, before: Config | undefined): Promise<Said> {
  const { project, key, environment, version } = of;
  const instructions = [...of.instructions];
  const where = { project, environment: environment.key, instructions };
  const more = comment.trim() ? { comment: comment.trim() } : {};
  const asked = (id: number): Said => ({ text: t.asked(id), act: { title: t.open, run: () => go(pathOf(project, "changes", id)) } });
  const runAt = at ? new Date(at).getTime() : undefined;
  if (way === "ask" || (way === "later" && environment.require_approval)) {
    const input = { ...where, ...more, kind: "flag" as const, target: key, ...(runAt !== undefined && { run_at: runAt }) };
    const change: FlagChange = await server.flags.change_create(input, wish);
    return asked(change.id);
  }
  if (way === "later") {
    const made = await server.flags.schedule_create({ ...where, key, run_at: runAt! }, wish);
    return made.outcome === "changeRequest" ? asked(made.id) : { text: t.scheduled };
  }
  const input = { ...where, ...more, key, versions: { [environment.key]: version }, ...(way === "bypass" && { bypass: true }) };
  const made = await server.flags.update(input, wish);
  learnFlag(made.flag);
  if (made.outcome === "unchanged") return { text: t.unchanged };
  if (made.change) return asked(made.change.id);
  const after = made.flag.environments[environment.key];
  const back = before && after ? { project, key, environment, instructions: between(configOf(after), before), version: after.version } : undefined;
  return { text: t.saved(key, environment.name), ...(back && { act: { title: t.undoIt, run: () => review(back) } }) };
}

/** Which ways are open is said by the environment; those that are shut say why. */
function Ways({ environment, way, onWay }: { environment: Environment; way: Way; onWay: (way: Way) => void }) {
  const shut: Partial<Record<Way, string>> = environment.require_approval ? { now: t.asksApproval(environment.min_approvals) } : {};
  const ways: Way[] = ["now", "later", "ask", ...(environment.require_approval && isAdmin() ? (["bypass"] as const) : [])];
  return (
    <div class="bar ways-row">
      {ways.map((one) => (
        <label key={one} class={`way${shut[one] ? " shut" : ""}`} title={shut[one]}>
          <input type="radio" name="way" value={one} checked={way === one} disabled={shut[one] !== undefined} onChange={() => onWay(one)} />
          <span>{t.ways[one].title}</span>
          {shut[one] && <span class="meta">{shut[one]}</span>}
        </label>
      ))}
    </div>
  );
}

const RISKS = { none: undefined, low: "good", medium: "warn", high: "bad" } as const;

function Reach({ tried }: { tried: Tried | undefined }) {
  if (!tried) return <p class="meta late-word">{t.trying}</p>;
  if (tried.wrong !== undefined) return <Wrong>{tried.wrong}</Wrong>;
  const { impact } = tried;
  if (!impact) return null;
  const kind = RISKS[impact.risk];
  return (
    <div class="reach" role="group" aria-label={t.reach}>
      <p class="bar"><Badge {...(kind && { kind })}>{t.risks[impact.risk]}</Badge> <span>{impact.traffic.why}</span></p>
      <dl>
        <div><dt>{t.evaluations}</dt><dd>{t.changedOf(number(impact.traffic.changed), number(impact.traffic.evaluations))}</dd></div>
        <div><dt>{t.dependants}</dt><dd>{impact.dependents.length ? impact.dependents.join(", ") : t.none}</dd></div>
        <div><dt>{t.segments}</dt><dd>{impact.segments.length ? impact.segments.join(", ") : t.none}</dd></div>
        <div><dt>{t.listening}</dt><dd>{number(impact.streams)}</dd></div>
      </dl>
    </div>
  );
}

/** What one wrote goes onto what somebody else saved, or is looked at again first. */
function Moved({ flag, of, onClose }: { flag: Flag; of: Reviewed; onClose: () => void }) {
  const now = flag.environments[of.environment.key]?.version;
  return (
    <div class="trouble" role="alert">
      <p><strong>{t.movedTitle}</strong> {t.moved(of.version, now ?? 0)}</p>
      <button
        type="button"
        onClick={() => {
          onClose();
          if (of.onMoved) of.onMoved(flag);
          else if (now !== undefined) review({ ...of, version: now });
        }}
      >
        {t.rebase}
      </button>
    </div>
  );
}
