/** What may be asked for at a desk, each with its form. */
import type { DeskRequestTypeSave, FormQuestion, RequestType } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import type { DeskProps } from "./index.tsx";
import { Steps } from "./order.tsx";
import { Questions, questionsIn } from "./questions.tsx";
import { w } from "./texts.ts";

export function Types({ desk: { project }, shut }: DeskProps) {
  const asked = useAsked(() => server.desk.request_types({ project }));
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const chosen = asked.data?.find(({ id }) => id === open?.id);
  const move = async (one: RequestType, position: number): Promise<void> => {
    const { id, name, issue_type, fields } = (await typeOf(project, one.id)) ?? one;
    await attempt("desk.request_type_save", { id, project, name, issue_type, fields: fields as FormQuestion[], position }, { said: w.moved(name), undo: true });
  };
  return (
    <Section title={w.parts.types} what={w.typesWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.types}
            things={all}
            idOf={({ id }) => id}
            wordsOf={({ name, description, group }) => `${name} ${description} ${group}`}
            empty={w.noTypes}
            faint={({ hidden }) => hidden}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <><button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> {one.hidden && <span class="tag">{w.hidden}</span>} <span class="meta under" dir="auto">{one.description}</span></> },
              { title: w.group, of: ({ group }) => <span dir="auto">{group}</span> },
              { title: w.becomes, of: (one) => tables.type.watch(one.issue_type)?.name ?? one.issue_type },
              { title: w.form, of: ({ fields }) => <span class="meta">{w.questions(Math.max(1, fields.length))}</span> },
              { title: s.acts, kind: "acts", of: (one) => !shut && all.length > 1 && <Steps of={one} all={all} onMove={(of, position) => void move(of, position)} /> },
            ]}
          />
        )}
      </Told>
      {!shut && <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newType}</button>}
      {open && (chosen || open.id === undefined) && <TypeDialog project={project} one={chosen} known={asked.data ?? []} shut={shut} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface TypeProps {
  readonly project: string;
  readonly one: RequestType | undefined;
  readonly known: readonly RequestType[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function TypeDialog({ project, one, known, shut, onClose }: TypeProps) {
  const layouts = useAsked(() => server.fields.layout({ project }));
  const own = tables.type.all().filter(({ key, projects }) => key === one?.issue_type || !projects.length || projects.includes(project)).map(({ key, name }) => ({ value: key, title: name }));
  const usual = tables.project.watch(project)?.default_type ?? own[0]?.value ?? "";
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "description", label: w.typeWhat, kind: "area" },
    { name: "group", label: w.group, hint: w.groupWhat, max: 200, choices: [...new Set(known.map(({ group }) => group).filter(Boolean))].map((value) => ({ value, title: value })) },
    { name: "issue_type", label: w.issueType, kind: "choice", choices: own },
    { name: "fields", label: w.form, kind: "own", hint: w.formWhat, draw: (drawn) => <Questions drawn={drawn} layouts={layouts.data} /> },
    { name: "approvers", label: w.approvers, kind: "tokens", hint: w.approversWhat, choices: tables.member.all().filter(({ state }) => state === "active").map(({ id, name }) => ({ value: id, title: name })) },
    { name: "hidden", label: w.hide, kind: "check", hint: w.hideWhat },
  ];
  return (
    <Dialog title={one?.name ?? w.newType} onClose={onClose}>
      <Form
        name={`settings.desk.${project}.type.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one, usual)}
        {...(one && { fresh: async () => valuesOf(await typeOf(project, one.id), usual) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (changes, all) => {
          const every = one ? { ...valuesOf(await typeOf(project, one.id), usual), ...changes } : all;
          const input = {
            ...changes, project, name: every["name"], issue_type: every["issue_type"], fields: questionsIn(every["fields"]),
            ...("approvers" in changes && { approvers: lines(changes["approvers"]) }), ...(one && { id: one.id }),
          };
          const name = String(every["name"]);
          await act("desk.request_type_save", input as DeskRequestTypeSave, { said: one ? w.changed(name) : w.made(name), undo: true });
          onClose();
        }}
      >
        {one && !shut && <Remove one={one} others={known.filter(({ id }) => id !== one.id)} onGone={onClose} />}
      </Form>
    </Dialog>
  );
}

/** As it is now: what has to be sent with a change is not what somebody changed meanwhile. */
async function typeOf(project: string, id: number): Promise<RequestType | undefined> {
  return (await server.desk.request_types({ project })).find((one) => one.id === id);
}

function Remove({ one: { id, name }, others, onGone }: { one: RequestType; others: readonly RequestType[]; onGone: () => void }) {
  const [heir, setHeir] = useState("");
  return (
    <>
      <select aria-label={w.heir} value={heir} onChange={(event) => setHeir(event.currentTarget.value)}>
        <option value="">{w.noHeir}</option>
        {others.map((other) => <option key={other.id} value={other.id}>{other.name}</option>)}
      </select>
      <Sure
        title={s.delete}
        what={w.deleteType}
        yes={s.delete}
        onYes={() => void attempt("desk.request_type_delete", { id, ...(heir && { move_to: Number(heir) }) }, { said: w.deleted(name), undo: true }).then((done) => done && onGone())}
      />
    </>
  );
}

function valuesOf(one: RequestType | undefined, usual: string): Values {
  return {
    name: one?.name ?? "", description: one?.description ?? "", group: one?.group ?? "", issue_type: one?.issue_type ?? usual,
    fields: JSON.stringify(one?.fields ?? []), approvers: one?.approvers ?? [], hidden: one?.hidden ?? false,
  };
}
