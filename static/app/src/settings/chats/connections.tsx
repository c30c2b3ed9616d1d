/** What of a chat platform is connected: a workspace, a team, a server. Its secrets are written and never read. */
import type { ChatConnection, ChatConnectionSave } from "@kbwork/client";
import { useState } from "preact/hooks";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { copy } from "../../ui/clipboard.ts";
import { compare, exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const GONE = "(gone)";

export function Connections({ all, shut }: { all: readonly ChatConnection[]; shut: string | undefined }) {
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const chosen = all.find(({ id }) => id === open?.id);
  return (
    <Section title={w.connections} what={w.connectionsWhat}>
      <Listing
        label={w.connections}
        things={all}
        idOf={(one) => one.id}
        wordsOf={(one) => `${one.name} ${w.platforms[one.provider]} ${one.project}`}
        empty={w.noConnection}
        columns={[
          { title: s.name, kind: "wide", of: (one) => <button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> },
          { title: w.platform, of: (one) => w.platforms[one.provider] },
          { title: w.projectColumn, of: (one) => (one.project === GONE ? w.goneProject : one.project) },
          { title: w.linked, of: (one) => w.count(one.linked), kind: "number" },
          { title: w.requests, of: (one) => w.count(one.requests), kind: "number" },
          { title: w.latest, of: ({ last_event_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
          { title: w.error, of: (one) => one.last_error && <span class="bad" dir="auto">{one.last_error}</span> },
        ]}
      />
      {!shut && <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newConnection}</button>}
      {open && (chosen || open.id === undefined) && <ConnectionDialog key={open.id} one={chosen} shut={shut} onMade={(id) => setOpen({ id })} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface ConnectionProps {
  readonly one: ChatConnection | undefined;
  readonly shut: string | undefined;
  readonly onMade: (id: number) => void;
  readonly onClose: () => void;
}

function ConnectionDialog({ one, shut, onMade, onClose }: ConnectionProps) {
  const projects = tables.project.all().filter((each) => each.archived_at === null || each.key === one?.project).sort((each, other) => compare(each.name, other.name));
  const provider = one?.provider ?? "slack";
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "provider", label: w.platform, kind: "choice", fixed: one !== undefined, choices: Object.entries(w.platforms).map(([value, title]) => ({ value, title })) },
    { name: "project", label: w.project, kind: "choice", choices: [...(one?.project === GONE ? [{ value: GONE, title: w.goneProject }] : []), ...projects.map(({ key, name }) => ({ value: key, title: name }))] },
    ...(shut ? [] : [
      { name: "secret", label: w.secret, kind: "secret", hint: one ? `${w.secretWhat} ${w.kept}` : w.secretWhat, required: !one } as const,
      { name: "bot_token", label: w.bot, kind: "secret", hint: one?.has_bot_token ? `${w.botWhat} ${w.kept}` : w.botWhat, when: (all) => all["provider"] === "slack" } satisfies FormField,
    ]),
    ...(one?.has_bot_token && !shut ? [{ name: "no_bot", label: w.noBot, kind: "check" } as const] : []),
  ];
  const value = { name: one?.name ?? "", provider, project: one?.project ?? projects[0]?.key ?? "", secret: "", bot_token: "", no_bot: false };
  return (
    <Dialog title={one?.name ?? w.newConnection} onClose={onClose}>
      {one && may("admin") && <Hook one={one} />}
      <Form
        name={`settings.chats.${one?.id ?? "new"}`}
        fields={fields}
        value={value}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (changes, { name, provider: on, project }) => {
          const { no_bot: none, ...rest } = changes;
          const input = one ? { ...rest, id: one.id, ...(none && { bot_token: "" }) } : { ...rest, name, provider: on, project };
          const saved = await act("chat.connection_save", input as ChatConnectionSave, { said: one ? w.changed(String(name)) : w.madeConnection(String(name)) });
          if (one) onClose();
          else onMade(saved.id);
        }}
      >
        {one && !shut && <Sure title={s.delete} what={w.deleteConnection} yes={s.delete} onYes={() => void attempt("chat.connection_delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}

function Hook({ one }: { one: ChatConnection }) {
  const address = new URL(one.hook_path, location.origin).href;
  return (
    <div class="running">
      <p><strong>{w.hook}</strong></p>
      <p class="copied"><code>{address}</code><button type="button" onClick={() => copy(address)}>{w.copy}</button></p>
      <p class="meta">{w.hookWhat} {w.manual} <a href="/docs/howto-chat" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
      {one.last_error && <p class="wrong" dir="auto">{w.error}: {one.last_error}</p>}
    </div>
  );
}
