/** The ways of a workflow: from where to where, who may go, on which conditions; and how one is made, changed or taken away. */
import { useState } from "preact/hooks";
import type { Transition, Workflow, WorkflowTransition } from "@kbwork/client";
import { tables } from "../../store/tables.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { s } from "../texts.ts";
import { inWords } from "./conditions.ts";
import { Remove } from "./thing.tsx";

const w = s.workflows;
const WHO = ["owner", "admin", "lead", "member", "reporter", "assignee", "guest"] as const;

export function Ways({ flow, shut }: { flow: Workflow; shut: string | undefined }) {
  const [open, setOpen] = useState<string>();
  const chosen = flow.transitions.find((way) => way.key === open);
  const name = (key: string): string => (key === "*" ? w.anyLane : (flow.lanes.find((lane) => lane.key === key)?.name ?? key));
  return (
    <>
      <Listing
        label={w.waysTitle}
        things={flow.transitions}
        idOf={(way) => way.key}
        wordsOf={(way) => `${way.name} ${way.from.map(name).join(" ")} ${name(way.to)}`}
        empty={w.noWays}
        filters={!shut && <button type="button" onClick={() => setOpen("")}>{w.newWay}</button>}
        columns={[
          { title: s.name, of: (way) => <button type="button" class="name" dir="auto" onClick={() => setOpen(way.key)}>{way.name}</button> },
          { title: w.fromTo, of: (way) => <span dir="auto">{way.from.map(name).join(", ")} → {name(way.to)}</span> },
          { title: w.rules, of: (way) => <Rules way={way} />, kind: "wide" },
        ]}
      />
      {(chosen || open === "") && <WayDialog flow={flow} way={chosen} shut={shut} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Rules({ way }: { way: Transition }) {
  const said = rulesOf(way);
  if (!said.length) return <span class="meta">{w.noRules}</span>;
  return <ul class="rules meta" dir="auto">{said.map((rule) => <li key={rule}>{rule}</li>)}</ul>;
}

function rulesOf(way: Transition): string[] {
  return [
    ...(way.who.length ? [w.whoMay(way.who.map(whoIs).join(", "))] : []),
    ...way.if.map((one) => w.onlyIf(inWords(one))),
    ...way.check.map((one) => w.must(inWords(one))),
    ...(way.ask.length ? [w.asks(way.ask.map(({ field, required }) => (required ? field : `${field} (${w.maybe})`)).join(", "))] : []),
    ...(way.approvers.length ? [w.agrees(way.needed, way.approvers.map(whoIs).join(", "))] : []),
    ...(way.then.length ? [w.runs(way.then.map((one) => String(one["op"])).join(", "))] : []),
    ...(way.auto_when ? [w.byItself(way.auto_when)] : []),
  ];
}

function whoIs(who: string): string {
  return (w.roles as Readonly<Record<string, string>>)[who] ?? tables.member.get(who)?.name ?? who;
}

interface WayProps {
  readonly flow: Workflow;
  readonly way: Transition | undefined;
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function WayDialog({ flow, way, shut, onClose }: WayProps) {
  const lanes = flow.lanes.map(({ key, name }) => ({ value: key, title: name }));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "from", label: w.from, kind: "many", choices: [{ value: "*", title: w.anyLane }, ...lanes] },
    { name: "to", label: w.to, kind: "choice", choices: lanes },
    { name: "who", label: w.who, kind: "many", hint: w.whoWhat, choices: [...WHO.map((value) => ({ value: value as string, title: w.roles[value] })), ...(way?.who ?? []).filter((who) => !(WHO as readonly string[]).includes(who)).map((value) => ({ value, title: whoIs(value) }))] },
    { name: "ask", label: w.ask, kind: "lines", hint: w.askWhat },
  ];
  const value: Values = { name: way?.name ?? "", from: way?.from ?? [flow.start], to: way?.to ?? lanes.at(-1)?.value, who: way?.who ?? [], ask: (way?.ask ?? []).map(({ field, required }) => (required ? field : `${field}?`)) };
  const put = (ways: readonly object[]): Parameters<typeof act<"workflows.save">>[1] => ({ id: flow.id, name: flow.name, start: flow.start, lanes: flow.lanes.map(({ key }) => key), transitions: ways as WorkflowTransition[] });
  return (
    <Dialog title={way?.name ?? w.newWay} onClose={onClose}>
      <Form
        name={`settings.workflows.${flow.id}.${way?.key ?? "new"}`}
        fields={fields}
        value={value}
        submit={way ? s.save : s.make}
        shut={shut}
        onSave={async (_, all) => {
          const ask = lines(all["ask"]).map((field) => ({ field: field.replace(/\?$/, ""), required: !field.endsWith("?") }));
          const made = { ...way, name: all["name"], from: all["from"], to: all["to"], who: all["who"], ask };
          await act("workflows.save", put(way ? flow.transitions.map((one) => (one.key === way.key ? made : one)) : [...flow.transitions, made]), { said: w.changed(flow.name), undo: true });
          onClose();
        }}
      >
        {way && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWay}
            onRemove={() => void attempt("workflows.save", put(flow.transitions.filter((one) => one.key !== way.key)), { said: w.changed(flow.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
      {way && rulesOf(way).length > 0 && <><p class="meta what">{w.restStays}</p><Rules way={way} /></>}
    </Dialog>
  );
}
