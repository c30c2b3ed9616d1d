/** Who gets what: a made-up context, answered by the server for what is saved and for what is pending, with every step. */
import type { Environment, Evaluated, Flag } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { server } from "../store/server.ts";
import { told } from "./asked.ts";
import { Served } from "./insights.tsx";
import { type Clause, type Config, type Instruction, short } from "./model.ts";
import { VariationName, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { clauseWords, percent } from "./words.ts";

const CALM_MS = 250;

interface ProbeProps {
  readonly flag: Flag;
  readonly environment: Environment;
  readonly config: Config;
  readonly instructions: readonly Instruction[];
  /** They could be saved as they stand: what is written half is asked about once it is whole. */
  readonly isWhole: boolean;
}

interface Answer {
  readonly now?: Evaluated;
  readonly then?: Evaluated;
  readonly wrong?: string;
}

export function Probe({ flag, environment, config, instructions, isWhole }: ProbeProps) {
  const name = `flag context ${flag.project}`;
  const [text, setText] = useState(() => draftOf(name) || '{"kind": "user", "key": "ana"}');
  const [raw, setRaw] = useState(false);
  const context = contextOf(text);
  const answer = useAnswer(flag, environment, context, isWhole ? instructions : []);
  const put = (next: string): void => {
    setText(next);
    keepDraft(name, next);
  };
  return (
    <aside class="probe" aria-label={t.whoGetsWhat}>
      <div class="bar">
        <h2 class="grow">{t.whoGetsWhat}</h2>
        <button type="button" class="plain" aria-pressed={raw} onClick={() => setRaw(!raw)}>{t.json}</button>
      </div>
      {raw || !context ? (
        <textarea class="mono" rows={6} spellcheck={false} aria-label={t.context} value={text} onInput={(event) => put(event.currentTarget.value)} />
      ) : (
        <Fields context={context} config={config} onContext={(next) => put(JSON.stringify(next))} />
      )}
      {!context && <Wrong>{t.noContext}</Wrong>}
      {context && !isContext(context) && <p class="meta">{t.needsKey}</p>}
      {instructions.length > 0 && !isWhole && <p class="meta">{t.halfWritten}</p>}
      <Wrong>{answer?.wrong}</Wrong>
      <div class={`answers${answer?.then ? " two" : ""}`} aria-live="polite">
        {answer?.now && <Result title={answer.then ? t.savedNow : ""} flag={flag} found={answer.now} />}
        {answer?.then && <Result title={t.afterPending} flag={flag} found={answer.then} />}
      </div>
      <Served flag={flag} environment={environment} />
    </aside>
  );
}

type Context = Record<string, unknown>;

function contextOf(text: string): Context | undefined {
  try {
    const found = JSON.parse(text) as unknown;
    return found && typeof found === "object" && !Array.isArray(found) ? (found as Context) : undefined;
  } catch {
    return undefined;
  }
}

/** What the server takes for one: of one kind with a key, or of several, each with its own. */
function isContext({ kind, key, ...parts }: Context): boolean {
  if (kind !== "multi") return typeof key === "string" && key !== "";
  const all = Object.values(parts);
  return all.length > 0 && all.every((part) => Boolean((part as Context | null)?.["key"]));
}

function useAnswer(flag: Flag, environment: Environment, context: Context | undefined, instructions: readonly Instruction[]): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>();
  const asked = JSON.stringify([context, instructions, flag.environments[environment.key]?.version, flag.version]);
  useEffect(() => {
    if (!context || !isContext(context) || flag.archived) return setAnswer(undefined);
    let late = false;
    const timer = setTimeout(() => void ask(), CALM_MS);
    const ask = async (): Promise<void> => {
      const where = { project: flag.project, environment: environment.key, key: flag.key, context };
      try {
        const [now] = await server.flags.evaluate(where);
        const [then] = instructions.length ? await server.flags.evaluate({ ...where, instructions }) : [];
        if (!late) setAnswer({ ...(now && { now }), ...(then && { then }) });
      } catch (error) {
        if (!late) setAnswer({ wrong: told(error) });
      }
    };
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return answer;
}

/** A field for the key, and for each attribute that a rule asks for. */
function Fields({ context, config, onContext }: { context: Context; config: Config; onContext: (next: Context) => void }) {
  const asked = config.rules.flatMap((rule) => rule.clauses.map((one) => one.attribute ?? "")).filter((one) => one && !one.startsWith("/"));
  const own = Object.keys(context).filter((one) => one !== "kind" && typeof context[one] !== "object");
  const names = [...new Set(["key", ...asked, ...own])];
  const put = (name: string, value: string): void => {
    const { [name]: _, ...rest } = context;
    const literal = name !== "key" && /^(true|false|-?\d+(\.\d+)?)$/.test(value);
    onContext(value || name === "key" ? { ...rest, [name]: literal ? (JSON.parse(value) as unknown) : value } : rest);
  };
  return (
    <div class="fields-of">
      {names.map((name) => (
        <label key={name} class="bar">
          <span class="meta cut">{name}</span>
          <input class="grow" value={context[name] === undefined ? "" : String(context[name])} spellcheck={false} onInput={(event) => put(name, event.currentTarget.value)} />
        </label>
      ))}
    </div>
  );
}

function Result({ title, flag, found }: { title: string; flag: Flag; found: Evaluated }) {
  return (
    <section class="result" aria-label={title || t.answer}>
      {title && <h3 class="meta">{title}</h3>}
      <p class="bar served"><VariationName flag={flag} at={found.variation} /> <code class="cut meta">{short(found.value)}</code></p>
      <p>{t.reasons[found.reason]}{found.rule_index !== undefined && ` ${t.byRule(found.rule_index + 1)}`}{found.prerequisite_key !== undefined && ` ${found.prerequisite_key}`}</p>
      <ol class="steps">{found.steps.map((step, at) => <Step key={at} step={step} flag={flag} />)}</ol>
    </section>
  );
}

function Step({ step, flag }: { step: Record<string, unknown>; flag: Flag }) {
  const matched = step["matched"];
  const kind = String(step["step"]);
  const isInner = kind === "clause" || kind === "segment";
  return (
    <li class={isInner ? "inner" : ""}>
      <span class={matched === true ? "yes" : "no"} aria-hidden="true">{matched === undefined ? "·" : matched ? "✓" : "✗"}</span>
      {matched !== undefined && <span class="hidden">{matched ? t.fits : t.fitsNot}</span>}
      <span dir="auto">{stepWords(kind, step)}</span>
      {step["flag"] !== flag.key && step["flag"] !== null && <span class="meta"> {String(step["flag"])}</span>}
    </li>
  );
}

function stepWords(kind: string, step: Record<string, unknown>): string {
  const why = typeof step["why"] === "string" ? ` (${step["why"]})` : "";
  if (kind === "clause") {
    const found = step["found"];
    return clauseWords(step["clause"] as Clause) + (why || (found === undefined ? "" : ` (${short(found)})`));
  }
  if (kind === "rule") return t.steps.rule(Number(step["index"]) + 1);
  if (kind === "target") return t.steps.target(String(step["contextKind"]));
  if (kind === "prerequisite") return t.steps.prerequisite(String(step["key"])) + why;
  if (kind === "segment") return t.steps.segment(String(step["key"])) + why;
  if (kind === "rollout") return t.steps.rollout(percent(Number(step["bucket"]) <= 1 ? Number(step["bucket"]) * 100_000 : Number(step["bucket"])));
  if (kind === "off") return t.steps.off;
  if (kind === "fallthrough") return t.steps.fallthrough;
  return `${kind}${why}`;
}
