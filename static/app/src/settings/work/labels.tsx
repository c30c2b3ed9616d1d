/** Labels, of the org and of projects: made, coloured, grouped, folded into one. */
import type { Label, LabelsSave } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { Remove, Swatch } from "./thing.tsx";

const [TITLE, WHAT] = s.places.labels;
const w = s.labels;

export function Page() {
  const shut = may("projects:write") ? undefined : w.shut;
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.labels.list()}
      on={[tables.label.moved.value]}
      idOf={(label) => label.id}
      wordsOf={(label) => `${label.name} ${label.description} ${label.group ?? ""} ${label.project ?? ""}`}
      mark={(label) => <Swatch color={label.color} />}
      columns={() => [
        { title: s.description, of: ({ description }) => <span class="meta" dir="auto">{description}</span> },
        { title: w.group, of: ({ group }) => group ?? "" },
        { title: w.where, of: ({ project }) => project ?? w.everywhere },
        { title: w.issues, of: ({ issues }) => number(issues), kind: "number" },
      ]}
      dialog={({ thing, all, onClose }) => <LabelDialog label={thing} all={all} shut={shut} onClose={onClose} />}
    />
  );
}

interface LabelProps {
  readonly label: Label | undefined;
  readonly all: readonly Label[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function LabelDialog({ label, all, shut, onClose }: LabelProps) {
  const projects = tables.project.all().filter((one) => one.archived_at === null).map(({ key, name }) => ({ value: key, title: name }));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "color", label: s.color, kind: "color" },
    { name: "project", label: w.where, kind: "choice", choices: [{ value: "", title: w.everywhere }, ...projects], fixed: label !== undefined },
    { name: "group", label: w.group, hint: w.groupWhat },
    { name: "description", label: s.description, hint: w.descriptionWhat },
  ];
  const value = { name: label?.name ?? "", color: label?.color ?? "#6b7280", project: label?.project ?? "", group: label?.group ?? "", description: label?.description ?? "" };
  return (
    <Dialog title={label?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.labels.${label?.id ?? "new"}`}
        fields={fields}
        value={value}
        submit={label ? s.save : s.make}
        shut={shut}
        onSave={async ({ project, ...changes }, { name }) => {
          const input = { ...changes, name, ...(project && { project }), ...(label && { id: label.id }) };
          await act("labels.save", input as LabelsSave, { said: label ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {label && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat(label.issues)}
            heirs={all.filter((one) => one.id !== label.id && (one.project === null || one.project === label.project)).map(({ id, name }) => ({ value: String(id), title: name }))}
            onRemove={(into) => void remove(label, into).then((done) => done && onClose())}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** With a label that takes its place it is folded into that. */
function remove(label: Label, into: string | undefined): Promise<unknown> {
  if (into === undefined) return attempt("labels.delete", { id: label.id }, { said: w.deleted(label.name), undo: true });
  return attempt("labels.merge", { from: [label.id], into: Number(into) }, { said: w.merged(label.name), undo: true });
}
