/** What channels hear of what happens here. */
import type { ChatConnection, ChatSubscription, ChatSubscriptionSave } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

interface ChannelsProps {
  readonly connections: readonly ChatConnection[];
  readonly shut: string | undefined;
}

export function Channels({ connections, shut }: ChannelsProps) {
  const asked = useAsked(() => server.chat.subscriptions());
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const chosen = asked.data?.find(({ id }) => id === open?.id);
  return (
    <Section title={w.channels} what={w.channelsWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.channels}
            things={all}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.name} ${one.tql}`}
            empty={w.noChannel}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> },
              { title: w.connection, of: (one) => connections.find(({ id }) => id === one.connection)?.name },
              { title: w.hears, of: (one) => <span class="meta" dir="auto">{[...one.events.map((kind) => w.events[kind]), one.tql].filter(Boolean).join(", ")}</span> },
              { title: w.sent, of: (one) => w.count(one.sent), kind: "number" },
              { title: w.lastSent, of: ({ last_sent_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
              { title: s.acts, kind: "acts", of: (one) => !shut && <button type="button" aria-label={w.testOf(one.name)} onClick={() => void attempt("chat.subscription_test", { id: one.id }, { said: w.tested(one.name) })}>{w.test}</button> },
            ]}
          />
        )}
      </Told>
      {!shut && <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newChannel}</button>}
      {open && (chosen || open.id === undefined) && <ChannelDialog one={chosen} connections={connections} shut={shut} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function ChannelDialog({ one, connections, shut, onClose }: ChannelsProps & { one: ChatSubscription | undefined; onClose: () => void }) {
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500, placeholder: "#shop" },
    { name: "connection", label: w.connection, kind: "choice", choices: connections.map(({ id, name }) => ({ value: String(id), title: name })) },
    { name: "events", label: w.hears, kind: "many", choices: Object.entries(w.events).map(([value, title]) => ({ value, title })) },
    { name: "tql", label: w.query, kind: "query", placeholder: w.queryWhat },
    ...(shut ? [] : [{ name: "webhook_url", label: w.address, kind: "secret", hint: one ? w.kept : w.addressWhat, required: !one } as const]),
  ];
  return (
    <Dialog title={one?.name ?? w.newChannel} onClose={onClose}>
      <Form
        name={`settings.channels.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one, connections)}
        {...(one && { fresh: async () => valuesOf((await server.chat.subscriptions()).find(({ id }) => id === one.id), connections) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (changes, all) => {
          const input = { ...(one ? { ...changes, id: one.id } : all), connection: Number(all["connection"]) };
          const name = String(all["name"]);
          await act("chat.subscription_save", input as unknown as ChatSubscriptionSave, { said: one ? w.changed(name) : w.madeChannel(name) });
          onClose();
        }}
      >
        {one && !shut && <Sure title={s.delete} what={w.deleteChannel} yes={s.delete} onYes={() => void attempt("chat.subscription_delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}

function valuesOf(one: ChatSubscription | undefined, connections: readonly ChatConnection[]): Values {
  return { name: one?.name ?? "", connection: String(one?.connection ?? connections[0]?.id ?? ""), events: one?.events ?? ["issue.created", "comment.created"], tql: one?.tql ?? "", webhook_url: "" };
}
