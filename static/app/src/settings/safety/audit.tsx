/** The audit log: by whom, what and when; each entry whole; as it grows, where one wants that. */
import { useEffect, useState } from "preact/hooks";
import type { AuditEntry, AuditList } from "@kbwork/client";
import { UndoEntry } from "../../screens/parts.tsx";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { Part } from "../../ui/later.tsx";
import { compare, exactly, when } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.audit;
const w = s.audit;
const LIVE_MS = 3_000;
const DAY_S = 86_400;

interface Asked {
  readonly actor: string;
  readonly kind: string;
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

const ALL: Asked = { actor: "", kind: "", q: "", from: "", to: "" };
const AREAS = ["auth", "member", "invite", "team", "key", "org", "project", "issue", "comment", "workflow", "lane", "type", "field", "label", "flag", "import", "backup", "trash"] as const;

export function Page() {
  const [asked, setAsked] = useState<Asked>(ALL);
  const [live, setLive] = useState(false);
  const [older, setOlder] = useState<{ entries: readonly AuditEntry[]; next: number | null }>();
  const [open, setOpen] = useState<AuditEntry>();
  const input = inputOf(asked);
  const page = useAsked(async () => server.audit.list(input), JSON.stringify(asked));
  useEffect(() => setOlder(undefined), [JSON.stringify(asked)]);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void page.again(), LIVE_MS);
    return () => clearInterval(timer);
  }, [live]);
  const more = (before: number): void => {
    server.audit.list({ ...input, before }).then(
      ({ entries, next_before: next }) => setOlder({ entries: [...(older?.entries ?? []), ...entries], next }),
      wordsOf,
    );
  };
  return (
    <Frame title={TITLE} what={WHAT} acts={<button type="button" onClick={() => void save(input)}>{w.export}</button>}>
      <Filters asked={asked} onChange={setAsked} live={live} onLive={setLive} />
      <Told asked={page}>
        {({ entries, next_before: next, retention_days: days }) => {
          const behind = older ? older.next : next;
          const known = new Set(entries.map((one) => one.id));
          return (
            <>
              <Entries entries={[...entries, ...(older?.entries ?? []).filter((one) => !known.has(one.id))]} onOpen={setOpen} />
              {behind !== null && <button type="button" onClick={() => more(behind)}>{w.older}</button>}
              <p class="meta">{w.kept(days)}</p>
            </>
          );
        }}
      </Told>
      {open && <EntryDialog entry={open} onDone={() => void page.again()} onClose={() => setOpen(undefined)} />}
    </Frame>
  );
}

function inputOf({ actor, kind, q, from, to }: Asked): AuditList {
  const at = (day: string): number => new Date(`${day}T00:00:00`).getTime() / 1000;
  return {
    ...(actor && { actor }),
    ...(kind && { kind: `${kind}.*` }),
    ...(q && { q }),
    ...(from && { from: at(from) }),
    ...(to && { to: at(to) + DAY_S }),
  };
}

interface FilterProps {
  readonly asked: Asked;
  readonly onChange: (asked: Asked) => void;
  readonly live: boolean;
  readonly onLive: (on: boolean) => void;
}

function Filters({ asked, onChange, live, onLive }: FilterProps) {
  const people = tables.member.all().sort((one, other) => compare(one.name, other.name));
  const set = (change: Partial<Asked>): void => onChange({ ...asked, ...change });
  return (
    <div class="bar filters">
      <input class="filter" type="search" aria-label={w.words} placeholder={w.words} value={asked.q} onChange={(event) => set({ q: event.currentTarget.value })} />
      <select aria-label={w.actor} value={asked.actor} onChange={(event) => set({ actor: event.currentTarget.value })}>
        <option value="">{w.anybody}</option>
        {people.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
        <option value="system">{w.system}</option>
        <option value="anonymous">{w.anonymous}</option>
      </select>
      <select aria-label={w.area} value={asked.kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
        <option value="">{w.anything}</option>
        {AREAS.map((area) => <option key={area} value={area}>{area}</option>)}
      </select>
      <input class="line" type="date" aria-label={w.from} value={asked.from} onChange={(event) => set({ from: event.currentTarget.value })} />
      <input class="line" type="date" aria-label={w.to} value={asked.to} onChange={(event) => set({ to: event.currentTarget.value })} />
      <label class="bar"><input type="checkbox" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />{w.live}</label>
    </div>
  );
}

function Entries({ entries, onOpen }: { entries: readonly AuditEntry[]; onOpen: (entry: AuditEntry) => void }) {
  if (!entries.length) return <p class="none">{w.none}</p>;
  return (
    <div class="table" role="region" aria-label={TITLE} tabIndex={0}>
      <table>
        <thead><tr><th scope="col">{s.at}</th><th scope="col">{w.what}</th><th scope="col">{w.to_}</th><th scope="col">{s.by}</th><th scope="col">{w.address}</th></tr></thead>
        <tbody>
          {entries.map((one) => (
            <tr key={one.id}>
              <td><time title={exactly(one.at)}>{when(one.at)}</time></td>
              <td><button type="button" class="name" onClick={() => onOpen(one)}>{one.kind}</button></td>
              <td dir="auto">{one.subject}</td>
              <td dir="auto">{who(one)}</td>
              <td class="meta">{one.address ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function who({ actor, via }: AuditEntry): string {
  const name = tables.member.get(actor)?.name ?? actor;
  return via ? w.via(name, via) : name;
}

function EntryDialog({ entry, onDone, onClose }: { entry: AuditEntry; onDone: () => void; onClose: () => void }) {
  const facts: [string, string | null][] = [
    [s.at, exactly(entry.at)], [s.by, who(entry)], [w.to_, entry.subject], [w.op, entry.op], [w.address, entry.address], [w.request, entry.request], [w.number, String(entry.id)],
  ];
  return (
    <Dialog title={entry.kind} onClose={onClose}>
      <dl class="facts">{facts.map(([name, value]) => value && <><dt key={name}>{name}</dt><dd dir="auto">{value}</dd></>)}</dl>
      {entry.veiled ? <p class="reason">{w.veiled}</p> : <Details of={entry.details as Readonly<Record<string, unknown>>} />}
      <Part of={UndoEntry} props={{ entry, onDone }} />
    </Dialog>
  );
}

/** What was changed as it was and as it is, and whatever else was told of it. */
function Details({ of: { changes, ...rest } }: { of: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries((changes ?? {}) as Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>);
  return (
    <>
      {fields.length > 0 && (
        <div class="table" role="region" aria-label={w.changes} tabIndex={0}>
          <table class="sides">
            <thead><tr><th scope="col">{w.field}</th><th scope="col">{w.was}</th><th scope="col">{w.became}</th></tr></thead>
            <tbody>
              {fields.map(([name, { from, to }]) => <tr key={name}><th scope="row">{name}</th><td dir="auto"><del>{said(from)}</del></td><td dir="auto"><ins>{said(to)}</ins></td></tr>)}
            </tbody>
          </table>
        </div>
      )}
      {Object.keys(rest).length > 0 && <pre class="details" tabIndex={0}>{JSON.stringify(rest, null, 2)}</pre>}
    </>
  );
}

function said(value: unknown): string {
  if (value === null || value === undefined || value === "") return w.nothing;
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function save(input: AuditList): Promise<void> {
  const { before: _, limit: __, ...asked } = input;
  const found = await attempt("audit.export", asked, { said: w.exported });
  if (!found) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([found.ndjson], { type: "application/x-ndjson" }));
  link.download = "audit.ndjson";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
