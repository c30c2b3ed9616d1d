/** The ways of a workflow: from where to where, who may go, on which conditions; and how one is made, changed or taken away. */
import { useState } from "preact/hooks";
import type { Transition, Workflow, WorkflowTransition } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { t } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { s } from "../texts.ts";
import { Approvers, approverIs } from "./approvers.tsx";
import { inWords } from "./conditions.ts";
import { Remove } from "./thing.tsx";

const w = s.workflows;
/** Fields that every issue has and of which an edit can be watched. */
const PLAIN = {
  title: t.title, body: t.description, priority: t.priority, assignee: t.assignee, label: t.labels, component: t.components,
  parent: t.parent, estimate: t.estimate, start: t.start, due: t.due,
};
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
    ...(way.approvers.length ? [w.agrees(way.needed, way.approvers.map(approverIs).join(", "))] : []),
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
  const latest = (): Promise<Workflow> => server.workflows.get({ id: flow.id });
  const wayIn = ({ transitions }: Workflow): Transition | undefined => transitions.find((one) => one.key === way?.key);
  const put = (now: Workflow, ways: readonly object[]) => ({ id: now.id, name: now.name, start: now.start, lanes: now.lanes.map(({ key }) => key), transitions: ways as WorkflowTransition[] });
  /** Without what stands in the form. */
  const rest = way && { ...way, who: [], ask: [], approvers: [] };
  return (
    <Dialog title={way?.name ?? w.newWay} onClose={onClose}>
      <Form
        name={`settings.workflows.${flow.id}.${way?.key ?? "new"}`}
        fields={fieldsOf(flow, way)}
        value={valuesOf(flow, way)}
        {...(way && { fresh: async () => valuesOf(flow, wayIn(await latest())) })}
        submit={way ? s.save : s.make}
        shut={shut}
        onSave={async (changes, all) => {
          // The others as they are now: somebody may have changed them meanwhile.
          const now = await latest();
          const made = way ? wayOf({ ...valuesOf(flow, wayIn(now)), ...changes }, wayIn(now)) : wayOf(all, undefined);
          const ways = wayIn(now) ? now.transitions.map((one) => (one.key === way?.key ? made : one)) : [...now.transitions, made];
          await act("workflows.save", put(now, ways), { said: w.changed(flow.name), undo: true });
          onClose();
        }}
      >
        {way && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWay}
            onRemove={() => void attempt("workflows.save", put(flow, flow.transitions.filter((one) => one.key !== way.key)), { said: w.changed(flow.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
      {rest && rulesOf(rest).length > 0 && <><p class="meta what">{w.restStays}</p><Rules way={rest} /></>}
    </Dialog>
  );
}

function fieldsOf(flow: Workflow, way: Transition | undefined): FormField[] {
  const lanes = flow.lanes.map(({ key, name }) => ({ value: key, title: name }));
  const others = (way?.who ?? []).filter((who) => !(WHO as readonly string[]).includes(who)).map((value) => ({ value, title: whoIs(value) }));
  const own = tables.field.all().filter(({ on }) => on === "issue").map(({ key, name }) => ({ value: key, title: name }));
  const at = way ? flow.transitions.findIndex(({ key }) => key === way.key) : flow.transitions.length;
  const path = (name: string): string => `transitions[${at}].${name}`;
  const when = ({ approvers }: Values): boolean => ((approvers as readonly string[] | undefined) ?? []).length > 0;
  return [
    { name: "name", label: s.name, required: true, max: 500, path: path("name") },
    { name: "from", label: w.from, kind: "many", choices: [{ value: "*", title: w.anyLane }, ...lanes], path: path("from") },
    { name: "to", label: w.to, kind: "choice", choices: lanes, path: path("to") },
    { name: "who", label: w.who, kind: "many", hint: w.whoWhat, choices: [...WHO.map((value) => ({ value: value as string, title: w.roles[value] })), ...others], path: path("who") },
    { name: "ask", label: w.ask, kind: "lines", hint: w.askWhat, path: path("ask") },
    { name: "approvers", label: w.approvers, kind: "own", hint: w.approversWhat, path: path("approvers"), draw: (drawn) => <Approvers {...drawn} /> },
    { name: "needed", label: w.needed, kind: "number", path: path("needed"), when },
    { name: "self_approval", label: w.selfApproval, kind: "check", path: path("self_approval"), when },
    { name: "watch", label: w.watch, kind: "tokens", hint: w.watchWhat, choices: [...Object.entries(PLAIN).map(([value, title]) => ({ value, title })), ...own], path: path("watch"), when },
  ];
}

function valuesOf({ start, lanes }: Workflow, way: Transition | undefined): Values {
  return {
    name: way?.name ?? "",
    from: way?.from ?? [start],
    to: way?.to ?? lanes.at(-1)?.key,
    who: way?.who ?? [],
    ask: (way?.ask ?? []).map(({ field, required }) => (required ? field : `${field}?`)),
    approvers: way?.approvers ?? [],
    needed: way?.needed || 1,
    self_approval: way?.self_approval ?? false,
    watch: way?.watch ?? [],
  };
}

/** With all that is said of it elsewhere. What belongs to approval goes with those who approve. */
function wayOf({ name, from, to, who, ask, approvers, needed, self_approval, watch }: Values, before: Transition | undefined): object {
  const asked = (approvers as readonly string[]).length > 0;
  return {
    ...before,
    name,
    from,
    to,
    who,
    ask: lines(ask).map((field) => ({ field: field.replace(/\?$/, ""), required: !field.endsWith("?") })),
    approvers,
    needed: asked ? needed : 0,
    self_approval: asked && self_approval,
    watch: asked ? lines(watch) : [],
  };
}
