/** How people prove who they are: the policy, and the providers where they sign in elsewhere. */
import { useState } from "preact/hooks";
import type { AuthPolicySet, AuthProviderSave, SignInPolicy, SignInProvider } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places["sign-in"];
const w = s.signIn;

export function Page() {
  const policy = useAsked(() => server.auth.policy());
  const providers = useAsked(() => server.auth.providers());
  const shut = onlyAdmins();
  return (
    <Frame title={TITLE} what={WHAT} shut={shut}>
      <Told asked={policy}>{(now) => <Policy now={now} providers={providers.data ?? []} shut={shut} />}</Told>
      <Section title={w.providers} what={w.providersWhat}>
        <Told asked={providers}>{(all) => <Providers all={all} shut={shut} />}</Told>
      </Section>
      <p class="meta">{w.own} <a href="/account">{w.ownPage}</a></p>
    </Frame>
  );
}

function valuesOf(now: SignInPolicy): Values {
  return { ...now, signup_domains: now.signup_domains ?? [], allowed_networks: now.allowed_networks ?? [] };
}

function Policy({ now, providers, shut }: { now: SignInPolicy; providers: readonly SignInProvider[]; shut: string | undefined }) {
  const methods = [
    ...(["password", "passkey", "link"] as const).map((value) => ({ value: value as string, title: w.methods[value] })),
    ...providers.map(({ id, label }) => ({ value: id, title: label })),
  ];
  const fields: FormField[] = [
    { name: "require_2fa", label: w.require, kind: "check", hint: w.requireWhat },
    { name: "methods", label: w.ways, kind: "many", hint: w.waysWhat, choices: methods },
    { name: "password_min", label: w.passwordMin, kind: "number" },
    { name: "session_days", label: w.sessionDays, kind: "number", hint: w.sessionDaysWhat },
    ...(shut ? [] : ([
      { name: "signup_domains", label: w.domains, kind: "lines", hint: w.domainsWhat, placeholder: "example.org" },
      { name: "allowed_networks", label: w.networks, kind: "lines", hint: w.networksWhat, placeholder: "203.0.113.0/24" },
    ] as const)),
  ];
  return (
    <Form
      name="settings.sign-in"
      fields={fields}
      value={valuesOf(now)}
      fresh={async () => valuesOf(await server.auth.policy())}
      submit={s.save}
      shut={shut}
      onSave={(changes) => {
        const listed = Object.fromEntries((["signup_domains", "allowed_networks"] as const).filter((name) => changes[name] !== undefined).map((name) => [name, lines(changes[name])]));
        return act("auth.policy_set", { ...changes, ...listed } as AuthPolicySet, { said: w.changed });
      }}
    />
  );
}

function Providers({ all, shut }: { all: readonly SignInProvider[]; shut: string | undefined }) {
  const [open, setOpen] = useState<string>();
  const chosen = all.find((one) => one.id === open);
  return (
    <>
      <Listing
        label={w.providers}
        things={all}
        idOf={(one) => one.id}
        wordsOf={(one) => `${one.id} ${one.label}`}
        empty={w.noProviders}
        columns={[
          { title: s.name, of: (one) => (shut ? one.label : <button type="button" class="name" dir="auto" onClick={() => setOpen(one.id)}>{one.label}</button>), kind: "wide" },
          { title: w.id, of: ({ id }) => id },
          { title: w.creates, of: ({ create_members: creates }) => (creates ? s.yes : "") },
          { title: s.state, of: ({ enabled }) => <span class={`tag ${enabled ? "good" : ""}`}>{enabled ? s.on : s.off}</span> },
        ]}
      />
      {!shut && <button type="button" onClick={() => setOpen("")}>{w.newProvider}</button>}
      {(chosen || open === "") && <ProviderDialog one={chosen} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const SETTINGS = ["issuer", "client_id"] as const;

function ProviderDialog({ one, onClose }: { one: SignInProvider | undefined; onClose: () => void }) {
  const fields: FormField[] = [
    { name: "id", label: w.id, hint: w.idWhat, required: true, fixed: one !== undefined, placeholder: "company" },
    { name: "label", label: w.label, hint: w.labelWhat, required: true },
    { name: "issuer", label: w.issuer, required: true, placeholder: "https://login.example.org" },
    { name: "client_id", label: w.clientId, required: true },
    { name: "secret", label: w.secret, kind: "secret", ...(one?.has_secret ? { hint: w.secretKept } : {}) },
    { name: "enabled", label: w.enabled, kind: "check" },
    { name: "create_members", label: w.createMembers, kind: "check" },
  ];
  const value: Values = { id: one?.id ?? "", label: one?.label ?? "", issuer: String(one?.settings?.["issuer"] ?? ""), client_id: String(one?.settings?.["client_id"] ?? ""), enabled: one?.enabled ?? true, create_members: one?.create_members ?? false };
  return (
    <Dialog title={one?.label ?? w.newProvider} onClose={onClose}>
      <Form
        name={`settings.providers.${one?.id ?? "new"}`}
        fields={fields}
        value={value}
        submit={one ? s.save : s.make}
        onSave={async (_, all) => {
          const settings = { ...one?.settings, ...Object.fromEntries(SETTINGS.map((name) => [name, String(all[name] ?? "").trim()])) };
          const { id, label, enabled, create_members: creates, secret } = all;
          await act("auth.provider_save", { id, label, kind: "oidc", settings, enabled, create_members: creates, ...(secret !== undefined && { secret }) } as AuthProviderSave, { said: w.providerSaved(String(label)) });
          onClose();
        }}
      >
        {one && <Sure title={s.delete} what={w.deleteWhat} yes={s.delete} onYes={() => void attempt("auth.provider_delete", { id: one.id }, { said: w.providerGone(one.label) }).then((done) => done && onClose())} />}
      </Form>
      {one && <Trial id={one.id} />}
    </Dialog>
  );
}

function Trial({ id }: { id: string }) {
  const [steps, setSteps] = useState<readonly { step: string; ok: boolean; detail: string }[]>();
  const [wrong, setWrong] = useState<string>();
  const run = (): void => {
    setWrong(undefined);
    server.auth.provider_test({ id }).then((found) => setSteps(found.steps), (error: unknown) => setWrong(wordsOf(error)));
  };
  return (
    <Section title={w.trial} what={w.trialWhat}>
      <button type="button" onClick={run}>{w.trial}</button>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {steps && <ul class="checks" role="status">{steps.map((one) => <li key={one.step}><span class={`tag ${one.ok ? "good" : "bad"}`}>{one.ok ? s.well : s.notWell}</span><div class="grow"><strong>{one.step}</strong><p class="meta">{one.detail}</p></div></li>)}</ul>}
    </Section>
  );
}
