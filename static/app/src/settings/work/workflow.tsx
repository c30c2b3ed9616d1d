/** One workflow: its picture, its ways in words, what can be tried along it, and who moves along it. */
import { useState } from "preact/hooks";
import type { Simulated, Workflow, WorkflowsSave, WorkflowTransition } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { go } from "../../ui/router.ts";
import { compare } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Form, type Values } from "../parts/form.tsx";
import { onlyAdmins, Page, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Graph } from "./graph.tsx";
import { Remove } from "./thing.tsx";
import { Ways } from "./ways.tsx";

const UP = { href: "/settings/workflows", title: s.places.workflows[0] };
const w = s.workflows;

export function OneWorkflow({ id }: { id: number }) {
  const asked = useAsked(() => server.workflows.get({ id }), tables.workflow.watch(id), tables.lane.moved.value);
  const shut = onlyAdmins();
  const flow = asked.data;
  return (
    <Page title={flow?.name ?? ""} what={flow?.draft ? w.draftWhat : w.oneWhat} up={UP} shut={shut} acts={flow?.draft && <span class="tag warn">{w.draft}</span>}>
      <Told asked={asked}>
        {(one) => (
          <>
            <Try flow={one} />
            <Section title={w.waysTitle} what={w.waysWhat}><Ways flow={one} shut={shut} /></Section>
            {!shut && <General flow={one} />}
            {!one.draft && <Use flow={one} shut={shut} />}
          </>
        )}
      </Told>
    </Page>
  );
}

/** From where could who go where, and why not. */
function Try({ flow }: { flow: Workflow }) {
  const [key, setKey] = useState("");
  const [as, setAs] = useState("");
  const [at, setAt] = useState<string>();
  const [found, setFound] = useState<readonly (readonly [lane: string, Simulated])[]>();
  const [wrong, setWrong] = useState<string>();
  const people = tables.member.all().filter((one) => one.state === "active").sort((one, other) => compare(one.name, other.name));
  const ask = async (): Promise<void> => {
    setWrong(undefined);
    try {
      const from = key ? (await server.issues.get({ key })).lane : flow.start;
      const others = flow.lanes.filter((lane) => lane.key !== from);
      const input = { id: flow.id, ...(key && { key }), ...(key && as && { as }) };
      const answers = await Promise.all(others.map((lane) => server.workflows.simulate({ ...input, to_status: lane.key })));
      setAt(from);
      setFound(others.map((lane, place) => [lane.key, answers[place]!] as const));
    } catch (error) {
      setFound(undefined);
      setWrong(wordsOf(error));
    }
  };
  return (
    <>
      <Graph flow={flow} at={at} on={found && new Set(found.filter(([, answer]) => answer.allowed).map(([lane]) => lane))} />
      <form
        class="bar filters try"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <span>{w.whereTo}</span>
        <input class="line" aria-label={w.issue} placeholder={w.issueWhat} value={key} onInput={(event) => setKey(event.currentTarget.value.trim().toUpperCase())} />
        {may("admin") && (
          <select aria-label={w.as} value={as} disabled={!key} onChange={(event) => setAs(event.currentTarget.value)}>
            <option value="">{w.asMe}</option>
            {people.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
          </select>
        )}
        <button type="submit">{w.try}</button>
      </form>
      {!key && <p class="meta">{w.tryWhat}</p>}
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {found && <Answers flow={flow} found={found} />}
    </>
  );
}

function Answers({ flow, found }: { flow: Workflow; found: readonly (readonly [string, Simulated])[] }) {
  const name = (key: string): string => flow.lanes.find((lane) => lane.key === key)?.name ?? key;
  return (
    <ul class="checks" role="status">
      {found.map(([lane, { allowed, steps }]) => (
        <li key={lane}>
          <span class={`tag ${allowed ? "good" : "bad"}`}>{allowed ? w.isOpen : w.isShut}</span>
          <div class="grow">
            <strong dir="auto">{name(lane)}</strong>
            <p class="meta">{(allowed ? steps : steps.filter((step) => !step.passed)).map((step) => step.detail).join("; ")}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function General({ flow }: { flow: Workflow }) {
  const flows = useAsked(() => server.workflows.list());
  return (
    <Section title={w.general}>
      <Form
        name={`settings.workflows.${flow.id}`}
        fields={[
          { name: "name", label: s.name, required: true, max: 500 },
          { name: "start", label: w.start, kind: "choice", choices: flow.lanes.map(({ key, name }) => ({ value: key, title: name })) },
          { name: "lanes", label: w.lanes, kind: "many", hint: w.lanesWhat, choices: tables.lane.all().sort((one, other) => one.position - other.position).map(({ key, name }) => ({ value: key, title: name })) },
        ]}
        value={{ name: flow.name, start: flow.start, lanes: flow.lanes.map(({ key }) => key) }}
        submit={s.save}
        onSave={(_, all) => act("workflows.save", { id: flow.id, ...put(flow, all) }, { said: w.changed(String(all["name"])), undo: true })}
      >
        <Remove
          title={s.delete}
          what={w.deleteWhat}
          heirs={(flows.data ?? []).filter((one) => one.id !== flow.id && !one.draft).map(({ id, name }) => ({ value: String(id), title: name }))}
          onRemove={(heir) => void attempt("workflows.delete", { id: flow.id, ...(heir && { move_to: Number(heir) }) }, { said: w.deleted(flow.name), undo: true }).then((done) => done && go("/settings/workflows"))}
        />
      </Form>
    </Section>
  );
}

/** The whole of it with these lanes: one that is new can be reached from all, one that goes takes its ways with it. */
function put(flow: Workflow, { name, start, lanes }: Values): Omit<WorkflowsSave, "id"> {
  const kept = lanes as readonly string[];
  const order = [...kept].sort((one, other) => (tables.lane.get(one)?.position ?? 0) - (tables.lane.get(other)?.position ?? 0));
  const ways: WorkflowTransition[] = (flow.transitions as unknown as WorkflowTransition[])
    .filter((way) => kept.includes(way.to))
    .map((way) => ({ ...way, from: way.from.filter((from) => from === "*" || kept.includes(from)) }))
    .filter((way) => way.from.length);
  for (const lane of order) {
    if (!flow.lanes.some((one) => one.key === lane)) ways.push({ name: tables.lane.get(lane)?.name ?? lane, from: ["*"], to: lane });
  }
  return { name: String(name), start: String(start), lanes: order, transitions: ways };
}

function Use({ flow, shut }: { flow: Workflow; shut: string | undefined }) {
  const used = new Set(flow.used_by.map(({ project }) => project));
  const others = tables.project.all().filter((one) => one.archived_at === null && !used.has(one.key));
  const assign = async (project: string): Promise<void> => {
    if (project) await attempt("workflows.assign", { id: flow.id, project }, { said: w.assigned(project), undo: true });
  };
  return (
    <Section title={w.usedBy} what={w.useWhat}>
      <ul class="plain-list">
        {flow.used_by.map(({ project, types }) => (
          <li key={project} class="bar"><a data-in class="in-text" href={`/settings/projects/${project}`}>{tables.project.get(project)?.name ?? project}</a> <span class="meta">{types.join(", ")}</span></li>
        ))}
        {!flow.used_by.length && <li class="none">{w.unused}</li>}
      </ul>
      {!shut && (
        <select aria-label={w.assign} value="" onChange={(event) => void assign(event.currentTarget.value)}>
          <option value="">{w.assign}</option>
          {others.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
        </select>
      )}
    </Section>
  );
}
