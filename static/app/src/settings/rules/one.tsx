/** One rule: what sets it off, what must hold, what it does, and what came of its runs. */
import type { AutomationRule } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { eventKinds, operations } from "../../palette/operations.ts";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { copy } from "../../ui/clipboard.ts";
import { go } from "../../ui/router.ts";
import { exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Actions } from "./actions.tsx";
import { Conditions } from "./conditions.tsx";
import { State } from "./index.tsx";
import { w } from "./texts.ts";
import { Came, came, RunNow } from "./try.tsx";
import { inputOf, valuesOf } from "./values.ts";
import { KINDS, type TriggerKind, triggerInWords } from "./words.ts";

const UP = { href: "/settings/rules", title: s.places.rules[0] };

export function NewRule() {
  const shut = onlyAdmins();
  return <Page title={w.new} what={w.newWhat} up={UP} shut={shut}>{!shut && <Says one={undefined} shut={shut} />}</Page>;
}

export function OneRule({ id }: { id: number }) {
  const asked = useAsked(async () => (await server.automation.list()).find((one) => one.id === id) ?? null);
  const shut = onlyAdmins();
  useEffect(() => () => {
    came.value = undefined;
  }, []);
  const one = asked.data;
  return (
    <Page title={one?.name ?? s.places.rules[0]} what={w.one} up={UP} shut={shut} acts={one && !shut && <Acts one={one} />}>
      <Told asked={asked}>
        {(found) =>
          found === null ? <p class="none">{w.none}</p> : (
            <>
              <p class="bar filters">
                <State of={found} /> <span class="meta" dir="auto">{triggerInWords(found.trigger)}{found.next_run_at !== null && `, ${w.nextRun(exactly(found.next_run_at))}`}</span>
              </p>
              <Came of={found} />
              {found.trigger.path !== null && <Address of={found} path={found.trigger.path} />}
              <Says one={found} shut={shut} />
              <Log of={found} />
            </>
          )}
      </Told>
    </Page>
  );
}

/** Where requests from outside set it off. */
function Address({ of: { id, trigger }, path }: { of: AutomationRule; path: string }) {
  const address = location.origin + path;
  return (
    <Section title={w.path} what={w.pathWhat}>
      <p class="copied"><code>{address}</code><button type="button" onClick={() => copy(address, w.copied, w.path)}>{w.copyPath}</button></p>
      <Sure
        title={w.newPath}
        what={w.newPathWhat}
        yes={w.newPath}
        onYes={() => void attempt("automation.save", { id, trigger: { kind: "hook", path: "", ...(trigger.tql !== null && { tql: trigger.tql }) } }, { said: w.movedPath })}
      />
    </Section>
  );
}

function Acts({ one }: { one: AutomationRule }) {
  const { id, name, enabled } = one;
  return (
    <>
      <RunNow of={one} />
      <button type="button" onClick={() => void attempt("automation.save", { id, enabled: !enabled }, { said: enabled ? w.turnedOff(name) : w.turnedOn(name) })}>
        {enabled ? w.off : w.on}
      </button>
    </>
  );
}

function Says({ one, shut }: { one: AutomationRule | undefined; shut: string | undefined }) {
  const catalog = useAsked(() => server.automation.catalog());
  const known = useAsked(operations);
  const kinds = useAsked(eventKinds);
  const is = (...wanted: readonly TriggerKind[]) => ({ kind }: Values): boolean => wanted.includes(kind as TriggerKind);
  const query = (kind: TriggerKind): FormField => ({ name: "tql", path: "trigger.tql", label: w.query[kind], kind: "query", placeholder: w.queryWhat[kind], when: is(kind) });
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "kind", path: "trigger.kind", label: w.trigger, kind: "choice", choices: KINDS.map((kind) => ({ value: kind, title: w.kinds[kind] })) },
    { name: "event", path: "trigger.event", label: w.event, hint: w.eventWhat, required: true, choices: (kinds.data ?? []).map((kind) => ({ value: kind, title: kind })), when: is("event") },
    { name: "every", path: "trigger.every", label: w.every, hint: w.everyWhat, required: true, placeholder: "0 9 * * mon-fri", when: is("schedule") },
    { name: "zone", path: "trigger.zone", label: w.zone, hint: w.zoneWhat, choices: Intl.supportedValuesOf("timeZone").map((zone) => ({ value: zone, title: zone })), when: is("schedule") },
    { name: "label", path: "trigger.label", label: w.label, required: true, when: is("button") },
    ...KINDS.map(query),
    { name: "minutes", path: "trigger.minutes", label: w.minutes, kind: "number", required: true, when: is("state") },
    { name: "conditions", label: w.conditions, kind: "own", hint: w.conditionsWhat, draw: (drawn) => <Conditions drawn={drawn} catalog={catalog.data} /> },
    { name: "actions", label: w.actions, kind: "own", hint: w.actionsWhat, draw: (drawn) => <Actions drawn={drawn} catalog={catalog.data} operations={known.data ?? []} /> },
    ...(one ? [] : [{ name: "enabled", label: w.enabled, kind: "check", hint: w.enabledWhat } as const]),
  ];
  return (
    <Form
      name={`settings.rules.${one?.id ?? "new"}`}
      fields={fields}
      value={valuesOf(one)}
      {...(one && { fresh: async () => valuesOf((await server.automation.list()).find(({ id }) => id === one.id)) })}
      submit={one ? s.save : s.make}
      shut={shut}
      isNew={!one}
      onSave={async (changes, all) => {
        const input = inputOf(changes, all, await operations(), !one);
        const saved = await act("automation.save", { ...input, ...(one && { id: one.id }) }, { said: one ? w.changed(String(all["name"])) : w.made(String(all["name"])) });
        if (!one) go(`/settings/rules/${saved.id}`);
      }}
    >
      {one && !shut && <Sure title={s.delete} what={w.deleteWhat} yes={s.delete} onYes={() => void attempt("automation.delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && go("/settings/rules"))} />}
    </Form>
  );
}

function Log({ of }: { of: AutomationRule }) {
  const [failed, setFailed] = useState(false);
  const asked = useAsked(() => server.automation.log({ rule: of.id }), of.id, came.value?.id);
  return (
    <Section title={w.log} what={w.logWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.log}
            things={all.filter((one) => !failed || !one.ok)}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.label} ${one.message} ${one.event}`}
            empty={failed && all.length ? s.noneFits : w.noRuns}
            filters={<label class="bar"><input type="checkbox" checked={failed} onChange={(event) => setFailed(event.currentTarget.checked)} />{w.failedAlone}</label>}
            columns={[
              { title: s.at, of: ({ at }) => <time title={exactly(at)}>{when(at)}</time> },
              { title: s.state, of: (one) => <span class={`tag ${one.event === "trial" ? "" : one.ok ? "good" : "bad"}`}>{one.event === "trial" ? w.trial : one.ok ? w.well : w.failed}</span> },
              { title: w.about, of: (one) => one.label && (one.subject?.startsWith("issue:") ? <a data-in href={`/issues/${one.label}`}>{one.label}</a> : <span dir="auto">{one.label}</span>) },
              { title: w.happened, kind: "wide", of: (one) => <span dir="auto">{one.message}</span> },
              { title: s.by, of: ({ actor }) => (actor === "system" ? w.bySystem : actor === "anonymous" ? w.outside : (tables.member.watch(actor)?.name ?? actor)) },
            ]}
          />
        )}
      </Told>
      <p class="meta">{w.rights} <a href="/docs/howto-automation" target="_blank" rel="noopener">{w.manual}</a>.</p>
    </Section>
  );
}
