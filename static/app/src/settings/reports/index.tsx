/** Reports: what is asked of the history of the org, once or by itself, and the history as a file. */
import type { Report } from "@kbwork/client";
import { useState } from "preact/hooks";
import { draftOf, keepDraft } from "../../store/drafts.ts";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { go } from "../../ui/router.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Section, Told } from "../parts/page.tsx";
import { act } from "../parts/act.ts";
import { s } from "../texts.ts";
import { save } from "./file.ts";
import { NEW, NewReport, OneReport } from "./one.tsx";
import { Query } from "./query.tsx";
import { w } from "./texts.ts";

const [TITLE, WHAT] = s.places.reports;
const ASKED = "settings.reports.asked";
const EXPORT_MS = 2 * 60_000;

export function Page({ rest: [first] }: { rest: readonly string[] }) {
  if (first === "new") return <NewReport />;
  if (first && /^\d{1,12}$/.test(first)) return <OneReport key={first} id={Number(first)} />;
  return <All />;
}

function All() {
  const asked = useAsked(() => server.analytics.reports());
  return (
    <Frame title={TITLE} what={WHAT} acts={<a data-in class="button primary" href="/settings/reports/new">{w.new}</a>}>
      <Told asked={asked}>{(all) => <Kept all={all} />}</Told>
      <Ask />
      <Export />
    </Frame>
  );
}

function Kept({ all }: { all: readonly Report[] }) {
  return (
    <Listing
      label={TITLE}
      things={all}
      idOf={(one) => one.id}
      wordsOf={(one) => `${one.name} ${one.sql}`}
      empty={w.none}
      columns={[
        { title: s.name, kind: "wide", of: (one) => <a data-in dir="auto" href={`/settings/reports/${one.id}`}>{one.name}</a> },
        { title: w.every, of: ({ every }) => w.everys[every] },
        { title: w.lastRun, of: ({ last_run_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
        { title: w.rows, of: (one) => one.last_rows !== null && number(one.last_rows), kind: "number" },
        { title: s.state, of: (one) => one.last_error !== null && <span class="tag bad" title={one.last_error}>{w.failed}</span> },
      ]}
    />
  );
}

/** A query by itself: what was written stays until it is kept as a report, or another one is written. */
function Ask() {
  const [sql, setSql] = useState(() => draftOf(ASKED));
  const put = (text: string): void => {
    setSql(text);
    keepDraft(ASKED, text);
  };
  const keepIt = (): void => {
    keepDraft(NEW, JSON.stringify({ ...(JSON.parse(draftOf(NEW) || "{}") as object), sql }));
    go("/settings/reports/new");
  };
  return (
    <Section title={w.ask} what={w.askWhat}>
      <div class="form wide-form">
        <Query sql={sql} shut={false} onSql={put} told={{}}>
          {sql.trim() !== "" && <button type="button" class="plain" onClick={keepIt}>{w.keepIt}</button>}
        </Query>
      </div>
      <p class="meta">{w.manual} <a href="/docs/howto-analytics" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
    </Section>
  );
}

function Export() {
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Section title={w.export} what={w.exportWhat}>
      <Form
        name="settings.reports.export"
        fields={[
          { name: "from", label: w.from, kind: "time", required: true },
          { name: "to", label: w.to, kind: "time", required: true },
          { name: "format", label: w.format, kind: "choice", choices: Object.entries(w.formats).map(([value, title]) => ({ value, title })) },
        ]}
        value={{ from: `${today.slice(0, 8)}01`, to: today, format: "ndjson" }}
        submit={w.save}
        isNew
        onSave={async (_, { from, to, format }) => {
          const found = await act("analytics.export", { from: String(from), to: String(to), format: format as "ndjson" }, { timeoutMs: EXPORT_MS });
          save(found.name, Uint8Array.from(atob(found.data), (sign) => sign.charCodeAt(0)), "application/octet-stream");
          say(w.exported(found.events, found.truncated));
        }}
      />
    </Section>
  );
}
