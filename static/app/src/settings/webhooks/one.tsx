/** One webhook: what it hears, its secret, and what came of what it sent. */
import { signal } from "@preact/signals";
import type { SavedWebhook, Webhook, WebhooksSave } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { eventKinds } from "../../palette/operations.ts";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { copy } from "../../ui/clipboard.ts";
import { say } from "../../ui/notes.tsx";
import { go } from "../../ui/router.ts";
import { compare } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { type FormField, lines, type Value } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Page, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Deliveries } from "./deliveries.tsx";
import { LastTry, State } from "./index.tsx";
import { FIELDS, w } from "./texts.ts";

const UP = { href: "/settings/webhooks", title: s.places.webhooks[0] };
const GONE = "(gone)";

/** A secret that was just made, and of which webhook: it is shown until one leaves. */
const fresh = signal<{ readonly id: number; readonly secret: string } | undefined>(undefined);

export function NewWebhook() {
  return (
    <Page title={w.new} what={w.newWhat} up={UP}>
      <Hears
        one={undefined}
        onSaved={({ id, secret }) => {
          if (secret !== null) fresh.value = { id, secret };
          go(`/settings/webhooks/${id}`);
        }}
      />
    </Page>
  );
}

export function OneWebhook({ id }: { id: number }) {
  const asked = useAsked(async () => (await server.webhooks.list()).find((one) => one.id === id) ?? null);
  useEffect(() => () => {
    fresh.value = undefined;
  }, []);
  const one = asked.data;
  return (
    <Page title={one?.name ?? s.places.webhooks[0]} what={w.one} up={UP} acts={one && <Acts one={one} />}>
      <Told asked={asked}>
        {(found) =>
          found === null ? <p class="none">{w.none}</p> : (
            <>
              <p class="bar filters"><State of={found} /> <LastTry of={found} /></p>
              <p class="meta">{w.by(tables.member.watch(found.author)?.name ?? found.author)}</p>
              <Secret id={id} />
              <Hears one={found} />
              <Rotate id={id} />
              <Deliveries of={found} />
            </>
          )}
      </Told>
    </Page>
  );
}

function Acts({ one }: { one: Webhook }) {
  const { id, name, url, events, enabled } = one;
  const [busy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    const sent = await attempt("webhooks.test", { id });
    setBusy(false);
    if (sent) say(sent.state === "sent" ? w.tested(sent.status ?? 0, sent.ms ?? 0) : w.testFailed(sent.error ?? w.noAnswer));
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void test()}>{w.test}</button>
      <button type="button" onClick={() => void attempt("webhooks.save", { id, name, url, events, enabled: !enabled }, { said: enabled ? w.turnedOff(name) : w.turnedOn(name) })}>
        {enabled ? w.off : w.on}
      </button>
    </>
  );
}

/** The secret, this once: nobody can look it up later. */
function Secret({ id }: { id: number }) {
  if (fresh.value?.id !== id) return null;
  const { secret } = fresh.value;
  return (
    <div class="running fresh secret" role="status">
      <p><strong>{w.secretIs}</strong></p>
      <p class="copied"><code>{secret}</code><button type="button" onClick={() => copy(secret, w.copied, w.secretIs)}>{w.copySecret}</button></p>
    </div>
  );
}

function Hears({ one, onSaved }: { one: Webhook | undefined; onSaved?: (made: SavedWebhook) => void }) {
  const kinds = useAsked(eventKinds);
  const projects = tables.project.all().filter((each) => each.archived_at === null || each.key === one?.project).sort((each, other) => compare(each.name, other.name));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "url", label: w.address, required: true, hint: w.addressWhat, placeholder: "https://example.com/hook" },
    { name: "events", label: w.events, kind: "tokens", hint: w.eventsWhat, choices: (kinds.data ?? []).map((kind) => ({ value: kind, title: kind })) },
    {
      name: "project",
      label: w.project,
      kind: "choice",
      choices: [{ value: "", title: w.everyProject }, ...(one?.project === GONE ? [{ value: GONE, title: w.goneProject }] : []), ...projects.map(({ key, name }) => ({ value: key, title: name }))],
    },
    { name: "tql", label: w.query, kind: "query", placeholder: w.queryWhat, project: one?.project ?? undefined },
    { name: "fields", label: w.fields, kind: "tokens", hint: w.fieldsWhat, choices: FIELDS.map((name) => ({ value: name, title: name })) },
    { name: "headers", label: w.headers, kind: "secrets", hint: w.headersWhat },
    { name: "batch_seconds", label: w.batch, kind: "number", hint: w.batchWhat },
  ];
  return (
    <Form
      key={one?.id}
      name={`settings.webhooks.${one?.id ?? "new"}`}
      fields={fields}
      value={valuesOf(one)}
      {...(one && { fresh: async () => valuesOf((await server.webhooks.list()).find(({ id }) => id === one.id)) })}
      submit={one ? s.save : s.make}
      isNew={!one}
      onSave={async (changes, all) => {
        const { name, url, events } = all;
        const input = { ...changes, name, url, events, ...(one && { id: one.id }), ...("project" in changes && { project: changes["project"] || null }), ...("headers" in changes && { headers: headersIn(changes["headers"]) }) };
        const made = await act("webhooks.save", input as WebhooksSave, { said: one ? w.changed(String(name)) : w.made(String(name)) });
        onSaved?.(made);
      }}
    >
      {one && <Sure title={s.delete} what={w.deleteWhat} yes={s.delete} onYes={() => void attempt("webhooks.delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && go("/settings/webhooks"))} />}
    </Form>
  );
}

function valuesOf(one: Webhook | undefined): Values {
  return {
    name: one?.name ?? "",
    url: one?.url ?? "",
    events: one?.events ?? [],
    project: one?.project ?? "",
    tql: one?.tql ?? "",
    fields: one?.fields ?? [],
    headers: Object.keys(one?.headers ?? {}).map((name) => `${name}:`),
    batch_seconds: one?.batch_seconds ?? 0,
  };
}

/** By their names; one of which nothing stands behind its name keeps its value. */
function headersIn(value: Value): Record<string, string | null> {
  return Object.fromEntries((Array.isArray(value) ? (value as readonly string[]) : lines(value)).map((line) => line.trim()).filter(Boolean).map((line) => {
    const at = line.indexOf(":");
    return at < 0 ? [line, null] : [line.slice(0, at).trim(), line.slice(at + 1).trim() || null];
  }));
}

function Rotate({ id }: { id: number }) {
  const [hours, setHours] = useState("24");
  const rotate = async (): Promise<void> => {
    const made = await attempt("webhooks.rotate_secret", { id, keep_hours: Number(hours) || null }, { said: w.rotated });
    if (!made) return;
    fresh.value = { id, secret: made.secret };
    document.querySelector(".settings .content")?.scrollTo(0, 0);
  };
  return (
    <Section title={w.secret} what={w.secretWhat}>
      <div class="bar filters">
        <label class="bar">{w.keep} <input class="line hours" type="number" min={0} value={hours} onInput={(event) => setHours(event.currentTarget.value)} /></label>
        <Sure title={w.rotate} what={w.rotateWhat} yes={w.rotate} onYes={() => void rotate()} />
      </div>
      <p class="meta">{w.manual} <a href="/docs/howto-webhooks" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
    </Section>
  );
}
