/** Backups: taken now, by a schedule, checked, fetched, and put back. */
import { useState } from "preact/hooks";
import type { Backup, Backups, BackupSchedule, Verified } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Section, Sure, Told } from "../parts/page.tsx";
import { size } from "../parts/size.ts";
import { s } from "../texts.ts";
import { Restore } from "./restore.tsx";

const [TITLE, WHAT] = s.places.backups;
const w = s.backups;
const LONG_MS = 15 * 60_000;

export function Page() {
  const asked = useAsked(() => server.backups.list());
  const [busy, setBusy] = useState(false);
  const take = async (): Promise<void> => {
    setBusy(true);
    await attempt("backups.create", {}, { said: w.taken, timeoutMs: LONG_MS });
    setBusy(false);
  };
  return (
    <Frame title={TITLE} what={WHAT} acts={<button type="button" class="primary" disabled={busy} onClick={() => void take()}>{busy ? w.taking : w.take}</button>}>
      <Told asked={asked}>
        {(all) => (
          <>
            <Shelf all={all} />
            <Section title={w.schedule} what={w.scheduleWhat}><Schedule now={all.schedule} /></Section>
            <p class="meta">{w.elsewhere}</p>
          </>
        )}
      </Told>
    </Frame>
  );
}

function Shelf({ all: { items } }: { all: Backups }) {
  const [open, setOpen] = useState<string>();
  const chosen = items.find((one) => one.id === open);
  return (
    <>
      <Listing
        label={TITLE}
        things={items}
        idOf={(one) => one.id}
        wordsOf={(one) => `${one.id} ${one.note} ${one.kind}`}
        empty={w.none}
        columns={[
          { title: s.at, of: (one) => <button type="button" class="name" title={exactly(one.at)} onClick={() => setOpen(one.id)}>{when(one.at)}</button> },
          { title: w.kind, of: ({ kind }) => w.kinds[kind] },
          { title: w.note, of: ({ note }) => <span dir="auto">{note}</span>, kind: "wide" },
          { title: w.size, of: ({ bytes }) => size(bytes), kind: "number" },
          { title: w.place, of: ({ place }) => place },
          { title: w.verified, of: ({ verified_at: at }) => (at === null ? <span class="tag">{w.unverified}</span> : <span class="tag good">{when(at)}</span>) },
        ]}
      />
      {chosen && <BackupDialog one={chosen} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function BackupDialog({ one, onClose }: { one: Backup; onClose: () => void }) {
  const [found, setFound] = useState<Verified>();
  const fetchIt = async (): Promise<void> => {
    const link = await attempt("backups.fetch", { id: one.id });
    if (link) location.assign(link.url);
  };
  return (
    <Dialog title={exactly(one.at)} onClose={onClose}>
      <dl class="facts">
        <dt>{w.kind}</dt><dd>{w.kinds[one.kind]}</dd>
        <dt>{w.size}</dt><dd>{size(one.bytes)}</dd>
        <dt>{w.version}</dt><dd>{one.version}</dd>
        <dt>{w.sum}</dt><dd><code>{one.sha256}</code></dd>
      </dl>
      <div class="bar big-acts">
        <button type="button" onClick={() => void fetchIt()}>{w.fetch}</button>
        <button type="button" onClick={() => void attempt("backups.verify", { id: one.id }, { timeoutMs: LONG_MS }).then(setFound)}>{w.verify}</button>
        <Sure title={s.delete} what={w.deleteWhat} yes={s.delete} onYes={() => void attempt("backups.delete", { id: one.id }, { said: w.deleted }).then((done) => done && onClose())} />
      </div>
      {found && (
        <ul class="checks" role="status">
          {found.checks.map((check) => (
            <li key={check.name}><span class={`tag ${check.ok ? "good" : "bad"}`}>{check.ok ? s.well : s.notWell}</span><div class="grow"><strong>{check.name}</strong><p class="meta">{check.detail}</p></div></li>
          ))}
        </ul>
      )}
      <Restore id={one.id} />
    </Dialog>
  );
}

function Schedule({ now }: { now: BackupSchedule }) {
  return (
    <>
      {now.last_error && <p class="wrong" role="alert">{w.failed(now.last_error)}</p>}
      <Form
        name="settings.backups"
        fields={[
          { name: "every", label: w.every, kind: "choice", choices: Object.entries(w.everys).map(([value, title]) => ({ value, title })) },
          { name: "keep", label: w.keep, kind: "number", hint: w.keepWhat, when: (all) => all["every"] !== "off" },
          { name: "target", label: w.target, kind: "choice", choices: [{ value: "", title: w.home }, ...now.targets.map((value) => ({ value, title: value }))], when: () => now.targets.length > 0 },
        ]}
        value={{ every: now.every, keep: now.keep, target: now.target ?? "" }}
        submit={s.save}
        onSave={(_, { every, keep, target }) =>
          act("backups.schedule_set", { every: every as BackupSchedule["every"], keep: Number(keep), target: target ? String(target) : null }, { said: w.scheduled })
        }
      >
        {now.next_at !== null && <span class="meta">{w.next(now.next_at)}</span>}
      </Form>
    </>
  );
}
