/** An import at work: how much, how fast, how long still, and what went wrong so far. */
import { useEffect, useState } from "preact/hooks";
import type { Import, Job, LogLine } from "@kbwork/client";
import { nowMs } from "../../store/clock.ts";
import { away, server } from "../../store/server.ts";
import { number } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { wordsOf } from "../parts/asked.ts";
import { s } from "../texts.ts";

const w = s.import;
const EVERY_MS = 1_000;
const SHOWN_ERRORS = 5;

/** A job as it is, until it ended; `onStep` with each look. */
export function useJob(id: number | undefined, onStep: () => Promise<void>): Job | undefined {
  const [job, setJob] = useState<Job>();
  useEffect(() => {
    if (id === undefined) return;
    let over = false;
    const follow = async (): Promise<void> => {
      while (!over) {
        try {
          const now = await server.jobs.get({ id });
          if (over) return;
          const works = now.state === "queued" || now.state === "running";
          await onStep(); // it may have ended before it was looked at first
          setJob(now);
          if (!works) return;
        } catch (error) {
          if (!away(error)) return void wordsOf(error);
        }
        await new Promise((go) => setTimeout(go, EVERY_MS));
      }
    };
    void follow();
    return () => {
      over = true;
    };
  }, [id]);
  return job?.id === id ? job : undefined;
}

export function Running({ one, job }: { one: Import; job: Job }) {
  const [errors, setErrors] = useState<readonly LogLine[]>([]);
  useEffect(() => {
    if (!one.errors) return;
    server.imports.log({ id: one.id, level: "error", limit: SHOWN_ERRORS }).then(({ items }) => setErrors(items), wordsOf);
  }, [one.errors]);
  const title = (w.jobs as Readonly<Record<string, string>>)[job.kind] ?? job.message;
  return (
    <div class="running">
      <div class="bar">
        <strong class="grow">{title}</strong>
        <button type="button" onClick={() => void attempt("imports.cancel", { id: one.id })}>{w.stop}</button>
      </div>
      <progress max={1} value={job.progress || undefined} aria-label={title} />
      <p class="meta" role="status">{[job.message, ...pace(one, job)].filter(Boolean).join(" · ")}</p>
      {errors.length > 0 && (
        <>
          <p class="bad">{w.errorsSoFar(one.errors)}</p>
          <ul class="losses">{errors.map((line) => <li key={line.source + line.message}><code>{line.source}</code> {line.message}</li>)}</ul>
        </>
      )}
      <p class="meta">{w.leaveIt}</p>
    </div>
  );
}

/** Things a second so far, and how long it takes at that. */
function pace(one: Import, { progress, created_at }: Job): string[] {
  const seconds = Math.max(1, nowMs() / 1000 - created_at);
  const came = one.done.issues + one.done.comments;
  const found: string[] = [];
  if (progress > 0) found.push(`${number(Math.round(progress * 100))} %`);
  if (came) found.push(w.rate(Math.round(came / seconds)));
  if (progress > 0.02 && progress < 1 && seconds > 3) found.push(w.left(Math.round((seconds * (1 - progress)) / progress)));
  return found;
}
