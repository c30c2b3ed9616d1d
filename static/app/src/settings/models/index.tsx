/** AI: what it may do, who offers models, for which readers it writes, and what was used. */
import type { AIPolicy, AiPolicySet, AIUsageRow } from "@kbwork/client";
import { useState } from "preact/hooks";
import { OwnKey } from "../../screens/parts.tsx";
import { askedHere } from "../../store/models.ts";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { Part } from "../../ui/later.tsx";
import { number } from "../../ui/texts.ts";
import { act } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Profiles } from "./profiles.tsx";
import { Providers } from "./providers.tsx";
import { w } from "./texts.ts";

const [TITLE, WHAT] = s.places.ai;
const DAYS = [7, 30, 90] as const;

export function Page() {
  const shut = onlyAdmins();
  const asked = useAsked(() => server.ai.policy());
  return (
    <Frame title={TITLE} what={WHAT} shut={shut}>
      <Told asked={asked}>
        {(policy) => (
          <>
            <Policy of={policy} shut={shut} />
            <Providers all={policy.providers} shut={shut} />
            <OwnKeys policy={policy} />
            <Profiles shut={shut} />
            {may("admin") && <Used />}
          </>
        )}
      </Told>
      <p class="meta">{w.manual} <a href="/docs/howto-ai" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
    </Frame>
  );
}

function Policy({ of, shut }: { of: AIPolicy; shut: string | undefined }) {
  const fields: FormField[] = [
    { name: "enabled", label: w.enabled, kind: "check" },
    { name: "org_keys", label: w.orgKeys, kind: "check" },
    { name: "browser_keys", label: w.browserKeys, kind: "check" },
    { name: "automation_apply", label: w.apply, kind: "check" },
    { name: "excluded", label: w.excluded, kind: "tokens", hint: w.excludedWhat, choices: tables.project.all().map(({ key }) => ({ value: `project:${key}`, title: `project:${key}` })) },
    { name: "member_daily_tokens", label: w.daily, kind: "number", hint: w.noCap },
    { name: "monthly_tokens", label: w.monthly, kind: "number", hint: w.noCap },
  ];
  return (
    <Section title={w.policy} what={w.policyWhat}>
      <p class="meta">{w.used(of.used_month, of.used_today)}</p>
      <Form
        name="settings.ai.policy"
        fields={fields}
        value={valuesOf(of)}
        fresh={async () => valuesOf(await server.ai.policy())}
        submit={s.save}
        shut={shut}
        onSave={(_, all) => act("ai.policy_set", all as unknown as AiPolicySet, { said: w.policySaved })}
      />
    </Section>
  );
}

function valuesOf({ enabled, org_keys, browser_keys, automation_apply, excluded, member_daily_tokens, monthly_tokens }: AIPolicy): Values {
  return { enabled, org_keys, browser_keys, automation_apply, excluded, member_daily_tokens, monthly_tokens };
}

/** Of this browser alone, for whom admins let it ask. */
function OwnKeys({ policy }: { policy: AIPolicy }) {
  const all = askedHere(policy).filter((one) => one.needs_key);
  if (!all.length) return null;
  return (
    <Section title={w.ownKeys} what={w.ownKeysWhat}>
      {all.map((provider) => <Part key={provider.id} of={OwnKey} props={{ provider }} />)}
    </Section>
  );
}

function Used() {
  const [days, setDays] = useState<number>(30);
  const asked = useAsked(() => server.ai.usage({ days }), days);
  return (
    <Section title={w.usage}>
      <Told asked={asked}>
        {(all) => (
          <Listing<AIUsageRow>
            label={w.usage}
            things={all}
            idOf={(one) => `${one.actor} ${one.feature} ${one.provider} ${one.model}`}
            wordsOf={(one) => `${nameOf(one)} ${one.feature} ${one.model}`}
            empty={w.nothingUsed}
            filters={
              <select aria-label={w.days} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
                {DAYS.map((one) => <option key={one} value={one}>{w.lastDays(one)}</option>)}
              </select>
            }
            columns={[
              { title: w.who, kind: "wide", of: nameOf },
              { title: w.feature, of: ({ feature }) => feature },
              { title: w.model, of: (one) => `${one.provider} ${one.model}` },
              { title: w.calls, of: ({ calls }) => number(calls), kind: "number" },
              { title: w.errors, of: ({ errors }) => (errors ? number(errors) : ""), kind: "number" },
              { title: w.into, of: (one) => number(one.input_tokens), kind: "number" },
              { title: w.out, of: (one) => number(one.output_tokens), kind: "number" },
            ]}
          />
        )}
      </Told>
    </Section>
  );
}

function nameOf({ actor }: AIUsageRow): string {
  return actor === "system" ? w.server : (tables.member.watch(actor)?.name ?? actor);
}
