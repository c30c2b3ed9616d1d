/** One project: what it is, who works in it, its types, its key, and how it is put aside. */
import type { Project, ProjectsUpdate } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { works } from "../../store/rights.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare } from "../../ui/texts.ts";
import { go } from "../../ui/router.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { Choice, FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Page, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Cadence } from "./cadence.tsx";
import { DeleteProject } from "./delete_project.tsx";

const UP = { href: "/settings/projects", title: s.places.projects[0] };
const w = s.projects;

export function OneProject({ asked: key }: { asked: string }) {
  const asked = useAsked(() => server.projects.get({ key }), tables.project.watch(key));
  const project = asked.data;
  const shut = !project || project.my_role === "lead" || may("admin") ? undefined : w.onlyLeads;
  return (
    <Page title={project?.name ?? key} what={w.oneWhat} up={UP} shut={shut} acts={<a data-in class="button" href={`/projects/${key}`}>{w.look}</a>}>
      <Told asked={asked}>
        {(one) => (
          <>
            <General project={one} shut={shut} />
            <People project={one} shut={shut} />
            <Types project={one} shut={shut} />
            <Cadence of={{ project: one.key }} shut={may("admin") || works(one.key) ? undefined : s.cadence.onlyMembers} />
            {!shut && <Aside project={one} />}
          </>
        )}
      </Told>
    </Page>
  );
}

interface PartProps {
  readonly project: Project;
  readonly shut: string | undefined;
}

function General({ project, shut }: PartProps) {
  const types = tables.type.all().filter((type) => !type.projects.length || type.projects.includes(project.key));
  const views = tables.view
    .all()
    .filter((view) => (view.project === null ? view.shared : view.project === project.key))
    .sort((one, other) => compare(one.name, other.name))
    .map(({ id, name }) => ({ value: String(id), title: name }));
  const choices = (of: Readonly<Record<string, string>>): Choice[] => Object.entries(of).map(([value, title]) => ({ value, title }));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "description", label: s.description, kind: "area" },
    { name: "lead", label: w.lead, kind: "choice", hint: w.leadWhat, choices: [...(project.lead ? [] : [{ value: "", title: s.nobody }]), ...people()] },
    { name: "visibility", label: w.visibility, kind: "choice", choices: choices(w.visibilities), hint: w.visibilityWhat },
    { name: "default_type", label: w.defaultType, kind: "choice", choices: types.map(({ key, name }) => ({ value: key, title: name })) },
    { name: "default_assignee", label: w.defaultAssignee, kind: "choice", choices: choices(w.assignees) },
    { name: "reporters_see", label: w.reportersSee, kind: "choice", choices: choices(w.reporters) },
    { name: "blockers", label: w.blockers, kind: "choice", choices: choices(w.blocking) },
    { name: "triage", label: w.triage, kind: "check", hint: w.triageWhat },
    { name: "default_view", label: w.defaultView, kind: "choice", hint: w.defaultViewWhat, choices: [{ value: "", title: w.allIssues }, ...views] },
    { name: "auto_archive_days", label: w.autoArchive, kind: "number", hint: w.never },
    { name: "auto_close_days", label: w.autoClose, kind: "number", hint: w.never },
  ];
  return (
    <Form
      name={`settings.projects.${project.key}`}
      fields={fields}
      value={valuesOf(project)}
      fresh={async () => valuesOf(await server.projects.get({ key: project.key }))}
      submit={s.save}
      shut={shut}
      onSave={({ default_view: view, ...changes }) =>
        act(
          "projects.update",
          { key: project.key, ...changes, ...(view !== undefined && { default_view: view ? Number(view) : null }) } as ProjectsUpdate,
          { said: w.changed(project.key), undo: true },
        )}
    />
  );
}

/** What is chosen of a list is a text. */
function valuesOf(project: Project): Values {
  return { ...(project as unknown as Values), default_view: String(project.default_view ?? "") };
}

function people(): Choice[] {
  return tables.member
    .all()
    .filter((one) => one.state === "active")
    .sort((one, other) => compare(one.name, other.name))
    .map(({ id, name }) => ({ value: id, title: name }));
}

function People({ project, shut }: PartProps) {
  const { key } = project;
  const asked = useAsked(() => server.projects.members({ key }));
  const teams = useAsked(() => server.teams.list());
  const set = (who: string, role: string): void =>
    void attempt("projects.member_set", { key, who, role: role as "lead" | "member" | "reporter" | "viewer" | "none" });
  const own = (asked.data ?? []).filter((one) => one.through === null);
  const inside = new Set(own.map(({ who }) => who));
  const others = [
    ...people(),
    ...(teams.data ?? []).filter((team) => !team.builtin).map(({ id, name }) => ({ value: `team:${id}`, title: w.team(name) })),
  ].filter(({ value }) => !inside.has(value));
  return (
    <Section title={w.people} what={project.visibility === "org" ? w.peopleOrg : w.peopleWhat}>
      <Told asked={asked}>
        {(all) => (
          <ul class="plain-list">
            {all.map((one) => (
              <li class="bar" key={`${one.who} ${one.through ?? ""}`}>
                <span class="grow" dir="auto">{one.name}{one.through && <span class="meta"> {w.through(one.through)}</span>}</span>
                {one.through || shut ? <span class="meta">{w.roles[one.role]}</span> : (
                  <select aria-label={w.roleOf(one.name)} value={one.role} onChange={(event) => set(one.who, event.currentTarget.value)}>
                    {Object.entries(w.roles).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
                    <option value="none">{w.takeOut}</option>
                  </select>
                )}
              </li>
            ))}
            {!all.length && <li class="none">{w.nobody}</li>}
          </ul>
        )}
      </Told>
      {!shut && (
        <select aria-label={w.add} value="" onChange={(event) => set(event.currentTarget.value, "member")}>
          <option value="">{w.add}</option>
          {others.map((one) => <option key={one.value} value={one.value}>{one.title}</option>)}
        </select>
      )}
    </Section>
  );
}

function Types({ project, shut }: PartProps) {
  const asked = useAsked(() => server.types.list({ project: project.key }), tables.type.moved.value);
  return (
    <Section title={w.types} what={w.typesWhat}>
      <Told asked={asked}>
        {(mine) => (
          <Form
            name={`settings.projects.${project.key}.types`}
            fields={[{ name: "types", label: w.typesHere, kind: "many", choices: tables.type.all().map(({ key, name }) => ({ value: key, title: name })) }]}
            value={{ types: mine.map(({ key }) => key) }}
            submit={s.save}
            shut={shut}
            onSave={(_, all) => act("types.projects_set", { project: project.key, types: (all["types"] ?? []) as string[] }, { said: w.typesChanged(project.key), undo: true })}
          />
        )}
      </Told>
    </Section>
  );
}

/** Put aside, called otherwise, or deleted. */
function Aside({ project }: { project: Project }) {
  const { key } = project;
  const archived = project.archived_at !== null;
  const [newKey, setNewKey] = useState(false);
  return (
    <>
      <Section title={archived ? w.bringBack : w.archive} what={w.archiveWhat}>
        <button type="button" onClick={() => void attempt("projects.archive", { key, on: !archived }, { said: archived ? w.cameBack(key) : w.wasArchived(key), undo: true })}>
          {archived ? w.bringBack : w.archive}
        </button>
      </Section>
      {may("admin") && (
        <>
          <Section title={w.changeKey} what={w.changeKeyWhat}>
            {!newKey ? <button type="button" onClick={() => setNewKey(true)}>{w.changeKey}</button> : (
              <Form
                name={`settings.projects.${key}.key`}
                fields={[{ name: "new_key", label: w.newKey, required: true, max: 10 }]}
                value={{ new_key: key }}
                submit={w.changeKey}
                onSave={async (_, all) => {
                  const made = await act("projects.key_change", { key, new_key: String(all["new_key"]).toUpperCase() }, { said: w.keyChanged(key, String(all["new_key"]).toUpperCase()), undo: true });
                  go(`/settings/projects/${made.key}`);
                }}
              />
            )}
          </Section>
          <Section title={w.delete} what={w.deleteWhat}>
            <DeleteProject project={key} onDone={() => go("/settings/projects")} />
          </Section>
        </>
      )}
    </>
  );
}
