/** Long work: how far it is, why it failed, and how it is stopped. */
import { useEffect, useState } from "preact/hooks";
import type { Job } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.jobs;
const w = s.jobs;
const STATES = ["queued", "running", "done", "failed", "cancelled"] as const;
const EVERY_MS = 2_000;
const works = (job: Job): boolean => job.state === "queued" || job.state === "running";

export function Page() {
  const [state, setState] = useState<(typeof STATES)[number] | "">("");
  const [open, setOpen] = useState<number>();
  const asked = useAsked(() => server.jobs.list({ all: may("admin") || null, state: state || null }), state);
  const busy = (asked.data ?? []).some(works);
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void asked.again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [busy]);
  const chosen = asked.data?.find((job) => job.id === open);
  return (
    <Frame title={TITLE} what={WHAT} shut={may("admin") ? undefined : w.ownAlone}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all}
            idOf={(job) => job.id}
            wordsOf={(job) => `${job.kind} ${job.message} ${job.error ?? ""}`}
            empty={w.none}
            filters={
              <select aria-label={s.state} value={state} onChange={(event) => setState(event.currentTarget.value as typeof state)}>
                <option value="">{w.all}</option>
                {STATES.map((one) => <option key={one} value={one}>{w.states[one]}</option>)}
              </select>
            }
            columns={[
              { title: w.kind, of: (job) => <button type="button" class="name" onClick={() => setOpen(job.id)}>{job.kind}</button> },
              { title: s.state, of: (job) => <span class={`tag ${job.state === "failed" ? "bad" : job.state === "done" ? "good" : ""}`}>{w.states[job.state]}{job.state === "running" && ` ${number(Math.round(job.progress * 100))} %`}</span> },
              { title: w.message, of: (job) => <span class="meta" dir="auto">{job.error ?? job.message}</span>, kind: "wide" },
              { title: s.by, of: ({ by }) => tables.member.watch(by)?.name ?? by },
              { title: s.at, of: (job) => <time title={exactly(job.created_at)}>{when(job.created_at)}</time> },
              { title: s.acts, kind: "acts", of: (job) => works(job) && <button type="button" onClick={() => void attempt("jobs.cancel", { id: job.id }, { said: w.stopped })}>{w.stop}</button> },
            ]}
          />
        )}
      </Told>
      {chosen && (
        <Dialog title={chosen.kind} onClose={() => setOpen(undefined)}>
          {chosen.error && <p class="wrong">{chosen.error}</p>}
          <pre class="details" tabIndex={0}>{JSON.stringify(chosen, null, 2)}</pre>
        </Dialog>
      )}
    </Frame>
  );
}
