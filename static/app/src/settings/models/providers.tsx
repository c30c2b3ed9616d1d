/** Who offers models: where each is asked, by which key, and which of its models may be picked. */
import type { AIProvider, AiProviderSave, ModelEntry } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { keyOf } from "../work/thing.tsx";
import { w } from "./texts.ts";

const LOOK_MS = 60_000;

export function Providers({ all, shut }: { all: readonly AIProvider[]; shut: string | undefined }) {
  const [open, setOpen] = useState<{ readonly id: string | undefined }>();
  const chosen = all.find(({ id }) => id === open?.id);
  return (
    <Section title={w.providers} what={w.providersWhat}>
      <Listing
        label={w.providers}
        things={all}
        idOf={(one) => one.id}
        wordsOf={(one) => `${one.label} ${one.models.join(" ")}`}
        faint={(one) => !one.enabled}
        empty={w.noProvider}
        columns={[
          { title: s.name, kind: "wide", of: (one) => <button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.label}</button> },
          { title: w.models, of: (one) => <span class="meta">{one.models.join(", ")}</span> },
          { title: s.state, of: (one) => <State of={one} /> },
          { title: w.key, of: (one) => one.key_last4 && `…${one.key_last4}` },
        ]}
      />
      {!shut && <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newProvider}</button>}
      {open && (chosen || open.id === undefined) && <ProviderDialog key={open.id} one={chosen} shut={shut} onMade={(id) => setOpen({ id })} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function State({ of: { enabled, has_key: hasKey } }: { of: AIProvider }) {
  const state = !enabled ? "off" : hasKey ? "ready" : "noKey";
  return <span class={`tag ${state === "ready" ? "good" : state === "noKey" ? "warn" : ""}`}>{w.states[state]}</span>;
}

interface ProviderProps {
  readonly one: AIProvider | undefined;
  readonly shut: string | undefined;
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

function ProviderDialog({ one, shut, onMade, onClose }: ProviderProps) {
  const [has, setHas] = useState<readonly ModelEntry[]>();
  const known = [...new Set([...(has ?? []).map(({ id }) => id), ...(one?.models ?? [])])].map((id) => ({ value: id, title: id }));
  const fields: FormField[] = [
    { name: "label", label: w.label, required: true, max: 500 },
    { name: "id", label: w.id, hint: w.idWhat, fixed: one !== undefined },
    { name: "kind", label: w.kind, kind: "choice", choices: Object.entries(w.kinds).map(([value, title]) => ({ value, title })) },
    { name: "base_url", label: w.address, hint: w.addressWhat, required: true, placeholder: "https://api.example.com/v1" },
    { name: "needs_key", label: w.needsKey, kind: "check" },
    { name: "models", label: w.models, kind: "tokens", hint: w.modelsWhat, choices: known },
    { name: "default_model", label: w.defaultModel, choices: known },
    { name: "enabled", label: w.providerOn, kind: "check" },
    { name: "browser", label: w.browser, kind: "check" },
  ];
  return (
    <Dialog title={one?.label ?? w.newProvider} onClose={onClose}>
      <Form
        name={`settings.ai.provider.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one)}
        {...(one && { fresh: async () => valuesOf((await server.ai.policy()).providers.find(({ id }) => id === one.id)) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (_, all) => {
          const label = String(all["label"]);
          const id = String(all["id"]) || keyOf(label, "-");
          const models = all["models"] as readonly string[];
          await act("ai.provider_save", { ...all, id, default_model: all["default_model"] || (models[0] ?? "") } as unknown as AiProviderSave, { said: w.savedProvider(label) });
          if (!one) onMade(id);
        }}
      >
        {one && !shut && <Sure title={s.delete} what={w.deleteProvider} yes={s.delete} onYes={() => void attempt("ai.provider_delete", { id: one.id }, { said: w.deleted(one.label) }).then((done) => done && onClose())} />}
      </Form>
      {one && !shut && <Has one={one} has={has} onHas={setHas} />}
      {one?.needs_key && !shut && <Key one={one} />}
    </Dialog>
  );
}

function valuesOf(one: AIProvider | undefined): Values {
  return {
    label: one?.label ?? "",
    id: one?.id ?? "",
    kind: one?.kind ?? "openai",
    base_url: one?.base_url ?? "",
    needs_key: one?.needs_key ?? true,
    models: one?.models ?? [],
    default_model: one?.default_model ?? "",
    enabled: one?.enabled ?? true,
    browser: one?.browser ?? false,
  };
}

function Has({ one, has, onHas }: { one: AIProvider; has: readonly ModelEntry[] | undefined; onHas: (has: readonly ModelEntry[]) => void }) {
  const [busy, setBusy] = useState(false);
  const look = async (): Promise<void> => {
    setBusy(true);
    const found = await attempt("ai.provider_models", { id: one.id }, { timeoutMs: LOOK_MS });
    setBusy(false);
    if (found) onHas(found.models);
  };
  return (
    <Section title={w.has}>
      <button type="button" disabled={busy} onClick={() => void look()}>{busy ? w.looking : w.look}</button>
      {has && (
        <Listing
          label={w.has}
          things={has}
          idOf={(model) => model.id}
          wordsOf={(model) => `${model.id} ${model.name}`}
          empty={s.nothing}
          columns={[
            { title: w.model, kind: "wide", of: (model) => <code>{model.id}</code> },
            { title: w.context, of: ({ context }) => (context === null ? "" : number(context)), kind: "number" },
            { title: w.price, of: (model) => w.prices(model.price_in, model.price_out) },
          ]}
        />
      )}
    </Section>
  );
}

function Key({ one }: { one: AIProvider }) {
  const fields: FormField[] = [
    { name: "secret", label: w.secret, kind: "secret", hint: w.secretWhat, required: true },
    { name: "label", label: w.keyLabel },
  ];
  return (
    <Section title={w.key} what={one.key_last4 ? w.keyIs(one.key_last4) : w.noKeyYet}>
      <Form
        name={`settings.ai.key.${one.id}`}
        fields={fields}
        value={{ secret: "", label: "" }}
        submit={w.setKey}
        onSave={(_, { secret, label }) => act("ai.key_set", { provider: one.id, secret: String(secret), ...(label && { label: String(label) }) }, { said: w.keySet })}
      >
        {one.has_key && <Sure title={w.revoke} what={w.revokeWhat} yes={w.revoke} onYes={() => void attempt("ai.key_revoke", { id: one.id }, { said: w.revoked })} />}
      </Form>
    </Section>
  );
}
