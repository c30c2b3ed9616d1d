/** The sorts of issues, the highest level first. */
import type { IssueType, TypesSave } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { onlyAdmins } from "../parts/page.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { keyOf, Remove, Swatch } from "./thing.tsx";

const [TITLE, WHAT] = s.places.types;
const w = s.types;

export function Page() {
  const shut = onlyAdmins();
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.types.list()}
      on={[tables.type.moved.value]}
      idOf={(type) => type.key}
      wordsOf={(type) => `${type.name} ${type.key} ${type.description}`}
      mark={(type) => <Swatch color={type.color} />}
      columns={() => [
        { title: w.level, of: ({ level }) => w.levels[String(level) as keyof typeof w.levels] },
        { title: w.projects, of: ({ projects }) => projects.join(", ") },
        { title: w.issues, of: ({ issues }) => number(issues), kind: "number" },
      ]}
      dialog={({ thing, all, onClose }) => <TypeDialog type={thing} all={all} shut={shut} onClose={onClose} />}
    />
  );
}

interface TypeProps {
  readonly type: IssueType | undefined;
  readonly all: readonly IssueType[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function TypeDialog({ type, all, shut, onClose }: TypeProps) {
  const flows = useAsked(() => server.workflows.list());
  const templates = useAsked(() => server.issues.templates({}));
  const own = (templates.data ?? []).filter((one) => one.project === null && one.type === type?.key);
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "level", label: w.level, kind: "choice", choices: Object.entries(w.levels).map(([value, title]) => ({ value, title })).reverse(), hint: w.levelWhat },
    { name: "color", label: s.color, kind: "color" },
    { name: "workflow", label: w.workflow, kind: "choice", hint: w.workflowWhat, choices: [{ value: "", title: w.ofProject }, ...(flows.data ?? []).filter((flow) => !flow.draft).map(({ id, name }) => ({ value: String(id), title: name }))] },
    ...(type ? [{ name: "template", label: w.template, kind: "choice", hint: own.length ? w.templateWhat : w.noTemplate, choices: [{ value: "", title: s.none }, ...own.map(({ id, name }) => ({ value: String(id), title: name }))] } as const] : []),
    { name: "description", label: s.description, kind: "area" },
  ];
  const value = { name: type?.name ?? "", level: String(type?.level ?? 0), color: type?.color ?? "#6b7280", workflow: type?.workflow == null ? "" : String(type.workflow), template: type?.template == null ? "" : String(type.template), description: type?.description ?? "" };
  return (
    <Dialog title={type?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.types.${type?.key ?? "new"}`}
        fields={fields}
        value={value}
        submit={type ? s.save : s.make}
        shut={shut}
        onSave={async ({ level, workflow, template, ...changes }, { name }) => {
          const input = {
            ...changes, name, key: type?.key ?? keyOf(String(name), "-"),
            ...(level !== undefined && { level: Number(level) }),
            ...(workflow !== undefined && { workflow: workflow ? Number(workflow) : null }),
            ...(template !== undefined && { template: template || null }),
          };
          await act("types.save", input as TypesSave, { said: type ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {type && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat}
            heirs={all.filter((one) => one.level === type.level && one.key !== type.key).map(({ key, name }) => ({ value: key, title: name }))}
            onRemove={(move_to) => void attempt("types.delete", { key: type.key, ...(move_to && { move_to }) }, { said: w.deleted(type.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
    </Dialog>
  );
}
