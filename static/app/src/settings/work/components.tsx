/** Components of one project at a time. */
import type { Component, ComponentsSave } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare, number } from "../../ui/texts.ts";
import { go } from "../../ui/router.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Page as Frame } from "../parts/page.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { Remove } from "./thing.tsx";

const [TITLE, WHAT] = s.places.components;
const w = s.components;

export function Page({ rest: [asked] }: { rest: readonly string[] }) {
  const projects = tables.project.all().filter((one) => one.archived_at === null).sort((one, other) => compare(one.name, other.name));
  const project = projects.find((one) => one.key === asked?.toUpperCase()) ?? projects[0];
  if (!project) return <Frame title={TITLE} what={WHAT}><p class="none">{w.noProject}</p></Frame>;
  const shut = may("admin") || project.my_role === "lead" ? undefined : s.projects.onlyLeads;
  return (
    <Of key={project.key} project={project.key} shut={shut}>
      <select aria-label={s.projects.one} value={project.key} onChange={(event) => go(`/settings/components/${event.currentTarget.value}`)}>
        {projects.map(({ key, name }) => <option key={key} value={key}>{name}</option>)}
      </select>
    </Of>
  );
}

function Of({ project, shut, children }: { project: string; shut: string | undefined; children: preact.ComponentChildren }) {
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.components.list({ project })}
      on={[project, tables.component.moved.value]}
      idOf={(one) => one.id}
      wordsOf={(one) => `${one.name} ${one.description}`}
      faint={(one) => one.archived}
      filters={children}
      columns={() => [
        { title: s.description, of: ({ description }) => <span class="meta" dir="auto">{description}</span> },
        { title: s.projects.lead, of: ({ lead }) => (lead ? (tables.member.watch(lead)?.name ?? lead) : "") },
        { title: w.issues, of: ({ issues }) => number(issues), kind: "number" },
        { title: s.state, of: ({ archived }) => archived && <span class="tag">{s.projects.archived}</span> },
      ]}
      dialog={({ thing, all, onClose }) => <ComponentDialog project={project} one={thing} all={all} shut={shut} onClose={onClose} />}
    />
  );
}

interface ComponentProps {
  readonly project: string;
  readonly one: Component | undefined;
  readonly all: readonly Component[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function ComponentDialog({ project, one, all, shut, onClose }: ComponentProps) {
  const people = tables.member.all().filter((each) => each.state === "active").sort((each, other) => compare(each.name, other.name));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "description", label: s.description, kind: "area" },
    { name: "lead", label: s.projects.lead, kind: "choice", choices: [{ value: "", title: s.nobody }, ...people.map(({ id, name }) => ({ value: id, title: name }))] },
    { name: "assign", label: w.assign, kind: "choice", choices: Object.entries(w.assigns).map(([value, title]) => ({ value, title })) },
    ...(one ? [{ name: "archived", label: w.archived, kind: "check", hint: w.archivedWhat } as const] : []),
  ];
  const value = { name: one?.name ?? "", description: one?.description ?? "", lead: one?.lead ?? "", assign: one?.assign ?? "project", archived: one?.archived ?? false };
  return (
    <Dialog title={one?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.components.${one?.id ?? `${project}.new`}`}
        fields={fields}
        value={value}
        submit={one ? s.save : s.make}
        shut={shut}
        onSave={async (changes, { name }) => {
          const input = { ...changes, name, project, ...(one && { id: one.id }) };
          await act("components.save", input as ComponentsSave, { said: one ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {one && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat}
            heirs={all.filter((each) => each.id !== one.id && !each.archived).map(({ id, name }) => ({ value: String(id), title: name }))}
            onRemove={(heir) => void attempt("components.delete", { id: one.id, ...(heir && { move_to: Number(heir) }) }, { said: w.deleted(one.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
    </Dialog>
  );
}
