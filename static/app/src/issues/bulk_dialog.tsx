/** What a change of many issues would do, before it is done: how many change, and which stay as they are and why. */
import { useEffect, useState } from "preact/hooks";
import { type BulkDone, type Job, Problem, type Skipped } from "@kbwork/client";
import { rememberToken } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { type Bulk, dismiss, openMyChanges } from "./asked.ts";
import { words } from "./bulk_words.ts";

const MOST_AT_ONCE = 500;
const WAIT_S = 20;
/** A change of 500 issues that takes longer than ten minutes goes on, but nobody waits for it. */
const MOST_WAITS = 30;
const MOST_SHOWN = 50;

type Step =
  | { readonly name: "looking" | "doing"; readonly part: number }
  | { readonly name: "seen"; readonly would: BulkDone }
  | { readonly name: "done"; readonly did: BulkDone }
  | { readonly name: "wrong"; readonly why: string };

export function BulkDialog({ asked }: { asked: Bulk }) {
  const [step, setStep] = useState<Step>({ name: "looking", part: 0 });
  /** Of which issues it is; those that stayed may be tried again, as another call. */
  const [{ keys, call }, setTry] = useState(() => ({ keys: asked.issues.flatMap((id) => tables.issue.get(id)?.key ?? []), call: random() }));
  const run = async (dry: boolean): Promise<void> => {
    setStep({ name: dry ? "looking" : "doing", part: 0 });
    try {
      const told = await apply(keys, asked, dry, call, (part) => setStep({ name: dry ? "looking" : "doing", part }));
      if (dry) return setStep({ name: "seen", would: told });
      asked.onDone?.();
      for (const token of told.tokens) rememberToken(asked.title, token, call);
      if (told.skipped.length) return setStep({ name: "done", did: told });
      dismiss();
      say(words.did(told.changed), { title: t.myChanges, run: openMyChanges });
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Failed) && !away(error)) throw error;
      setStep({ name: "wrong", why: away(error) ? t.noAnswer : (error as Error).message });
    }
  };
  useEffect(() => void run(true), [call]);
  return (
    <Layer label={words.many} kind="dialog" onClose={dismiss}>
      <div class="create" aria-live="polite">
        <h2 dir="auto">{asked.title}</h2>
        {(step.name === "looking" || step.name === "doing") && (
          <p class="bar">
            <progress max={1} value={step.part || undefined} aria-label={asked.title} />
            <span class="meta">{step.name === "looking" ? words.looking(keys.length) : words.doing(keys.length)}</span>
          </p>
        )}
        {step.name === "seen" && <Outcome text={words.would(step.would.changed, keys.length)} skipped={step.would.skipped} />}
        {step.name === "done" && <Outcome text={words.did(step.did.changed)} skipped={step.did.skipped} />}
        {step.name === "wrong" && <p class="wrong" role="alert">{step.why}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={dismiss}>{step.name === "done" ? t.close : t.cancel}</button>
          {step.name === "done" && <button type="button" onClick={() => setTry({ keys: step.did.skipped.map(({ key }) => key), call: random() })}>{words.again(step.did.skipped.length)}</button>}
          {step.name === "wrong" && <button type="button" class="primary" onClick={() => void run(true)}>{t.retry}</button>}
          {step.name === "seen" && (
            <button type="button" class="primary" disabled={!step.would.changed} ref={focus} onClick={() => void run(false)}>
              {words.change(step.would.changed)}
            </button>
          )}
        </div>
      </div>
    </Layer>
  );
}

/** It comes when the dialog is there already, and can be taken back: Enter is enough. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

function Outcome({ text, skipped }: { text: string; skipped: readonly Skipped[] }) {
  const reasons = Map.groupBy(skipped, (one) => one.reason);
  return (
    <>
      <p><strong>{text}</strong></p>
      {[...reasons].map(([reason, some]) => (
        <details key={reason} open={reasons.size === 1 && some.length < 6}>
          <summary>{words.stay(some.length, reason)}</summary>
          <p class="meta">
            {some.slice(0, MOST_SHOWN).map((one) => one.key).join(", ")}
            {some.length > MOST_SHOWN && ` ${words.more(some.length - MOST_SHOWN)}`}
          </p>
        </details>
      ))}
    </>
  );
}

/** In pieces, each of which is done whole or not at all, so that one sees how far it is. */
async function apply(keys: readonly string[], { changes }: Bulk, dry: boolean, call: string, onPart: (part: number) => void) {
  let changed = 0;
  const skipped: Skipped[] = [];
  const tokens: string[] = [];
  for (let at = 0; at < keys.length; at += MOST_AT_ONCE) {
    const input = { keys: keys.slice(at, at + MOST_AT_ONCE), changes, dry_run: dry };
    const reply = await server.ask("issues.bulk", input, { idempotencyKey: `${call}-${dry ? "dry" : "do"}-${at}` });
    const done = await whole(reply.data!);
    changed += done.changed;
    skipped.push(...done.skipped);
    if (done.undo) tokens.push(done.undo);
    onPart((at + input.keys.length) / keys.length);
  }
  return { changed, skipped, tokens, undo: null, job: null };
}

/** What takes longer is a job, which has the figures when it is done. */
async function whole(done: BulkDone): Promise<BulkDone> {
  if (done.job === null) return done;
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    const job: Job = await server.jobs.get({ id: done.job, wait_seconds: WAIT_S });
    if (job.state === "done") return job.result as BulkDone;
    if (job.state === "failed" || job.state === "cancelled") throw new Failed(job.error ?? job.state);
  }
  throw new Failed(words.goesOn);
}

class Failed extends Error {}
