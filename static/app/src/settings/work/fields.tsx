/** Own fields: what issues hold beside the usual ones. */
import { useRef } from "preact/hooks";
import type { Field, FieldsSave, OptionInput } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { onlyAdmins, Section } from "../parts/page.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { keyOf, Remove } from "./thing.tsx";

const [TITLE, WHAT] = s.places.fields;
const w = s.fields;
const CHOOSING = ["select", "multi_select", "cascade"];
/** Of other kinds there is nothing to refer to in this version. */
const KINDS = ["text", "paragraph", "number", "money", "bool", "date", "datetime", "duration", "select", "multi_select", "member", "members", "team", "issue", "asset", "url", "rating", "formula", "rollup"] as const;
const isText = (all: Values): boolean => ["text", "paragraph", "url"].includes(String(all["kind"]));

export function Page() {
  const shut = onlyAdmins();
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.fields.list()}
      idOf={(field) => field.key}
      wordsOf={(field) => `${field.name} ${field.key} ${field.description}`}
      aside={(field) => field.key}
      columns={() => [
        { title: w.kind, of: ({ kind }) => w.kinds[kind] },
        { title: w.projects, of: ({ projects }) => projects.join(", ") || w.all },
        { title: w.types, of: ({ types }) => types.join(", ") || w.all },
        { title: w.used, of: ({ used }) => number(used), kind: "number" },
      ]}
      dialog={({ thing, onOpen, onClose }) => <FieldDialog key={thing?.key} field={thing} shut={shut} onMade={onOpen} onClose={onClose} />}
    />
  );
}

interface FieldProps {
  readonly field: Field | undefined;
  readonly shut: string | undefined;
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}

function FieldDialog({ field, shut, onMade, onClose }: FieldProps) {
  const projects = tables.project.all().map(({ key, name }) => ({ value: key, title: name }));
  const types = tables.type.all().map(({ key, name }) => ({ value: key, title: name }));
  const limited = (all: Values): boolean => isText(all) || ["number", "money", "rating", "duration"].includes(String(all["kind"]));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "kind", label: w.kind, kind: "choice", choices: KINDS.map((value) => ({ value, title: w.kinds[value] })), fixed: field !== undefined },
    { name: "description", label: s.description, hint: w.descriptionWhat },
    { name: "formula", label: w.formula, hint: w.formulaWhat, when: (all) => all["kind"] === "formula" || all["kind"] === "rollup" },
    { name: "projects", label: w.projects, kind: "many", choices: projects, hint: w.noneIsAll },
    { name: "types", label: w.types, kind: "many", choices: types, hint: w.noneIsAll },
    { name: "min", label: w.min, kind: "number", when: limited },
    { name: "max", label: w.max, kind: "number", when: limited },
    { name: "pattern", label: w.pattern, hint: w.patternWhat, when: isText },
    { name: "personal", label: w.personal, kind: "check", hint: w.personalWhat },
  ];
  const value: Values = field
    ? { name: field.name, kind: field.kind, description: field.description, formula: field.formula, projects: field.projects, types: field.types, min: field.min, max: field.max, pattern: field.pattern, personal: field.personal }
    : { name: "", kind: "text", projects: [], types: [], personal: false };
  return (
    <Dialog title={field?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.fields.${field?.key ?? "new"}`}
        fields={fields}
        value={value}
        submit={field ? s.save : s.make}
        shut={shut}
        onSave={async (changes, { name, kind }) => {
          const key = field?.key ?? keyOf(String(name), "_");
          await act("fields.save", { ...changes, key, name, kind } as FieldsSave, { said: field ? w.changed(String(name)) : w.made(String(name)), undo: true });
          if (!field && CHOOSING.includes(String(kind))) onMade(key);
          else onClose();
        }}
      >
        {field && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat(field.used)}
            onRemove={() => void attempt("fields.delete", { key: field.key }, { said: w.deleted(field.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
      {field && CHOOSING.includes(field.kind) && field.kind !== "cascade" && <Options field={field} shut={shut} />}
      {field?.kind === "cascade" && <p class="meta what">{w.cascade}</p>}
    </Dialog>
  );
}

const shownOf = ({ options }: Field): Values => ({ options: options.filter(({ archived }) => !archived).map(({ name }) => name) });

/** One a line. Whoever renames a line renames the option that stood there, as long as the others stay where they are. */
function Options({ field, shut }: { field: Field; shut: string | undefined }) {
  const latest = useRef(field);
  const put = (names: readonly string[]): OptionInput[] => {
    const { options } = latest.current;
    const shown = options.filter((option) => !option.archived);
    const known = new Map(shown.map((option) => [option.name, option]));
    const renamed = names.length === shown.length;
    const live = names.map((name, at) => {
      const option = known.get(name) ?? (renamed && !names.includes(shown[at]!.name) ? shown[at] : undefined);
      return option ? { id: option.id, name, color: option.color } : { name };
    });
    const kept = new Set(live.map((option) => ("id" in option ? option.id : undefined)));
    const rest = options.filter((option) => !kept.has(option.id));
    return [...live, ...rest.map(({ id, name, color }) => ({ id, name, color, archived: true }))];
  };
  return (
    <Section title={w.options} what={w.optionsWhat}>
      <Form
        name={`settings.fields.${field.key}.options`}
        fields={[{ name: "options", label: w.options, kind: "lines" }]}
        value={shownOf(field)}
        fresh={async () => shownOf((latest.current = await server.fields.get({ key: field.key })))}
        submit={s.save}
        shut={shut}
        onSave={(_, all) => act("fields.options_set", { key: field.key, options: put(lines(all["options"])) }, { said: w.changed(field.name), undo: true })}
      />
    </Section>
  );
}
