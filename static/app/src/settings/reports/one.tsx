/** One report: what it asks, when it runs, who is told, and what it found. */
import type { AnalyticsReportSave, Report } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { say } from "../../ui/notes.tsx";
import { go } from "../../ui/router.ts";
import { compare, exactly } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { Choice, FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Page, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Query, Rows } from "./query.tsx";
import { w } from "./texts.ts";

const UP = { href: "/settings/reports", title: s.places.reports[0] };

/** By which name what was written of a new one is kept. */
export const NEW = "settings.reports.new";

export function NewReport() {
  return <Page title={w.new} what={w.newWhat} up={UP}><Says one={undefined} /></Page>;
}

export function OneReport({ id }: { id: number }) {
  const asked = useAsked(async () => (await server.analytics.reports()).find((one) => one.id === id) ?? null);
  const one = asked.data;
  return (
    <Page title={one?.name ?? s.places.reports[0]} what={w.one} up={UP} acts={one && <Run one={one} />}>
      <Told asked={asked}>
        {(found) =>
          found === null ? <p class="none">{w.none}</p> : (
            <>
              {found.next_run_at !== null && <p class="meta">{w.next(exactly(found.next_run_at))}</p>}
              {found.last_error !== null && <p class="trouble" role="alert"><strong>{w.error}</strong> {found.last_error}</p>}
              <Says one={found} />
              <Found one={found} />
            </>
          )}
      </Told>
    </Page>
  );
}

function Run({ one }: { one: Report }) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt("analytics.report_run", { id: one.id });
    setBusy(false);
    if (done) say(done.last_error ?? w.ran(done.name, done.last_rows ?? 0));
  };
  return <button type="button" disabled={busy} onClick={() => void run()}>{w.run}</button>;
}

function Says({ one }: { one: Report | undefined }) {
  const teams = useAsked(() => server.teams.list());
  const people = tables.member.all().filter((each) => each.state === "active" && each.role !== "guest").sort((each, other) => compare(each.name, other.name));
  const recipients: Choice[] = [
    { value: "team:admins", title: w.admins },
    ...(teams.data ?? []).filter(({ id }) => String(id) !== "admins").map(({ id, name }) => ({ value: `team:${id}`, title: w.team(name) })),
    ...people.map(({ id, name }) => ({ value: id, title: name })),
  ];
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "sql", label: w.query, kind: "own", draw: ({ value, shut, onChange }) => <Query sql={String(value ?? "")} shut={shut} onSql={onChange} told={{}} /> },
    { name: "every", label: w.every, kind: "choice", choices: Object.entries(w.everys).map(([value, title]) => ({ value, title })) },
    { name: "recipients", label: w.recipients, kind: "tokens", hint: w.recipientsWhat, choices: recipients },
  ];
  return (
    <Form
      name={one ? `settings.reports.${one.id}` : NEW}
      fields={fields}
      value={valuesOf(one)}
      {...(one && { fresh: async () => valuesOf((await server.analytics.reports()).find(({ id }) => id === one.id)) })}
      submit={one ? s.save : s.make}
      isNew={!one}
      onSave={async (changes, { name, sql, every }) => {
        const input = { ...changes, name, sql, every, ...(one && { id: one.id }) };
        const saved = await act("analytics.report_save", input as AnalyticsReportSave, { said: one ? w.changed(String(name)) : w.made(String(name)) });
        if (!one) go(`/settings/reports/${saved.id}`);
      }}
    >
      {one && <Sure title={s.delete} what={w.deleteWhat} yes={s.delete} onYes={() => void attempt("analytics.report_delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && go("/settings/reports"))} />}
    </Form>
  );
}

function valuesOf(one: Report | undefined): Values {
  return { name: one?.name ?? "", sql: one?.sql ?? "", every: one?.every ?? "manual", recipients: one?.recipients ?? [] };
}

function Found({ one }: { one: Report }) {
  const result = one.last_result as { columns: string[]; rows: unknown[][] } | null;
  if (!result) return null;
  return <Section title={w.found} what={w.foundWhat}><Rows columns={result.columns} rows={result.rows} /></Section>;
}
