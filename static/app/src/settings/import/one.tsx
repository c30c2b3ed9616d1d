/** One import, from the file that was read to the report, as far as it is. */
import { useEffect, useState } from "preact/hooks";
import type { Import, Job } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { number, t } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Page, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { State, titleOf } from "./index.tsx";
import { Mapping } from "./mapping.tsx";
import { Running, useJob } from "./progress.tsx";
import { Figures, Report } from "./report.tsx";

const UP = { href: "/settings/import", title: s.places.import[0] };
const w = s.import;
/** Reading a large file takes longer than most calls. */
const READ_MS = 15 * 60_000;

export function OneImport({ id }: { id: number }) {
  const asked = useAsked(() => server.imports.get({ id }));
  const one = asked.data;
  const job = useJob(one?.job ?? undefined, asked.again);
  return (
    <Page title={one ? titleOf(one) : w.from("", id)} what={one ? w.stateWhat[one.state] : ""} up={UP} acts={one && <State state={one.state} />}>
      <Told asked={asked}>{(now) => <Steps one={now} job={job} again={asked.again} />}</Told>
    </Page>
  );
}

interface StepsProps {
  readonly one: Import;
  readonly job: Job | undefined;
  readonly again: () => Promise<void>;
}

function Steps({ one, job, again }: StepsProps) {
  if (job && (job.state === "queued" || job.state === "running")) return <Running one={one} job={job} />;
  const tried = job?.kind === "imports.try" && job.state === "done" ? job.result : undefined;
  const failed = job?.state === "failed" ? job.error : undefined;
  const mapped = one.state === "probed" || one.state === "mapped";
  return (
    <>
      {failed && <p class="trouble" role="alert">{failed}</p>}
      {one.state === "open" && (one.job === null || job?.state === "done") && <Reading one={one} again={again} />}
      {mapped && <Found one={one} />}
      {mapped && <Mapping one={one} />}
      {tried !== undefined && mapped && <Section title={w.wouldCome} what={w.wouldComeWhat}><Figures result={tried} /></Section>}
      {["done", "failed", "cancelled", "undone"].includes(one.state) && <Report one={one} job={job} />}
      <Acts one={one} tried={tried !== undefined} />
    </>
  );
}

/** It is read as soon as somebody looks at it: what there is to decide stands in it. */
function Reading({ one, again }: { one: Import; again: () => Promise<void> }) {
  const [wrong, setWrong] = useState<string>();
  const read = (): void => {
    setWrong(undefined);
    server.imports.probe({ id: one.id }, { timeoutMs: READ_MS }).then(again, (error: unknown) => setWrong(wordsOf(error)));
  };
  useEffect(read, [one.id]);
  if (!wrong) return <div class="running"><progress aria-label={w.reading} /><span class="meta">{w.reading}</span></div>;
  return (
    <div class="trouble" role="alert">
      <p><strong>{w.notRead}</strong> {wrong}</p>
      <button type="button" onClick={read}>{t.retry}</button>
      <a data-in href="/settings/import">{w.otherFile}</a>
    </div>
  );
}

function Found({ one }: { one: Import }) {
  const counts = Object.entries((one.found["counts"] ?? {}) as Record<string, number>).filter(([, count]) => count > 0);
  const kinds = w.kinds as Readonly<Record<string, string>>;
  return (
    <Section title={w.found}>
      <dl class="figures">
        {counts.map(([kind, count]) => <div key={kind}><dd><strong>{number(count)}</strong></dd><dt class="meta">{kinds[`${kind}s`] ?? kind}</dt></div>)}
      </dl>
      {one.losses.length > 0 && (
        <>
          <p class="meta">{w.losses}</p>
          <ul class="losses">{one.losses.map((loss) => <li key={loss} dir="auto">{loss}</li>)}</ul>
        </>
      )}
    </Section>
  );
}

function Acts({ one, tried }: { one: Import; tried: boolean }) {
  const [busy, setBusy] = useState(false);
  const run = async (dry: boolean): Promise<void> => {
    setBusy(true);
    await attempt("imports.run", { id: one.id, dry_run: dry });
    setBusy(false);
  };
  const { id, state } = one;
  const canRun = ["probed", "mapped", "done", "failed", "cancelled"].includes(state) && Object.keys(one.found).length > 0;
  const cut = state === "failed" || state === "cancelled";
  const came = Object.values(one.done).some((count) => count > 0);
  return (
    <div class="bar big-acts">
      {canRun && (
        <>
          {state !== "done" && <button type="button" disabled={busy} class={tried || cut ? "" : "primary"} onClick={() => void run(true)}>{w.tryIt}</button>}
          <button type="button" disabled={busy} class={cut || (tried && state !== "done") ? "primary" : ""} onClick={() => void run(false)}>
            {state === "done" ? w.runAgain : cut ? w.goOn : w.run}
          </button>
        </>
      )}
      {came && state !== "undone" && <Sure title={w.takeBack} what={w.takeBackWhat} yes={w.takeBackYes} onYes={() => void attempt("imports.undo", { id })} />}
      {cut && !canRun && <a data-in class="button" href="/settings/import">{w.otherFile}</a>}
      {(state === "probed" || state === "mapped" || state === "open") && (
        <button type="button" class="plain" onClick={() => void attempt("imports.cancel", { id }, { said: w.cancelled })}>{t.cancel}</button>
      )}
    </div>
  );
}
