/** Whether the server is as it should be, each finding with what mends it. */
import { useState } from "preact/hooks";
import { version } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { go } from "../../ui/router.ts";
import { attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.health;
const w = s.health;
const READ_MS = 15 * 60_000;

/** What mends a finding, where a button does. */
const MENDS: Readonly<Record<string, { readonly title: string; readonly run: () => void }>> = {
  backups: { title: w.setBackups, run: () => go("/settings/backups") },
  jobs: { title: w.seeJobs, run: () => go("/settings/jobs") },
  clock: { title: w.clockRight, run: () => void attempt("org.clock_confirm", {}, { said: w.clockSaid }) },
};

export function Page() {
  const [deep, setDeep] = useState<readonly Finding[]>();
  const [busy, setBusy] = useState(false);
  const asked = useAsked(() => server.maintenance.check({}));
  const read = (): void => {
    setBusy(true);
    server.maintenance
      .check({ deep: true }, { timeoutMs: READ_MS })
      .then(({ checks }) => setDeep(checks.filter((one) => one.name === "file")), (error: unknown) => say(wordsOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Frame
      title={TITLE}
      what={WHAT}
      acts={
        <>
          <button type="button" disabled={busy} onClick={read}>{busy ? w.reading : w.read}</button>
          <button type="button" class="primary" onClick={() => void asked.again()}>{w.again}</button>
        </>
      }
    >
      <Told asked={asked}>
        {({ checks }) => {
          const all = [...checks, ...(deep ?? [])];
          const bad = all.filter((one) => !one.ok);
          return (
            <>
              <p role="status" class={bad.length ? "bad" : "good"}><strong>{bad.length ? w.wrong(bad.length) : w.fine}</strong></p>
              <ul class="checks">{[...bad, ...all.filter((one) => one.ok)].map((one, at) => <Line key={`${one.name} ${at}`} one={one} />)}</ul>
              <p class="meta">{w.version(version)} {w.more} <code>kbwork doctor</code></p>
            </>
          );
        }}
      </Told>
    </Frame>
  );
}

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

function Line({ one }: { one: Finding }) {
  const mend = one.ok ? undefined : MENDS[one.name];
  return (
    <li>
      <span class={`tag ${one.ok ? "good" : "bad"}`}>{one.ok ? s.well : s.notWell}</span>
      <div class="grow">
        <strong>{(w.names as Readonly<Record<string, string>>)[one.name] ?? one.name}</strong>
        <p class="meta" dir="auto">{one.detail.split("`").map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</p>
      </div>
      {mend && <button type="button" onClick={mend.run}>{mend.title}</button>}
    </li>
  );
}
