/** Templates of checklists: steps that are the same each time, for issues of a type. */
import type { ChecklistTemplate } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare, number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { Remove } from "./thing.tsx";

const [TITLE, WHAT] = s.places.checklists;
const w = s.checklists;

export function Page() {
  const shut = may("admin") ? undefined : s.onlyAdmins;
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.checklists.templates()}
      idOf={(one) => one.id}
      wordsOf={({ name, items, kind }) => [name, kind, ...items].join(" ")}
      columns={() => [
        { title: w.type, of: ({ kind }) => tables.type.watch(kind)?.name ?? kind },
        { title: w.items, of: ({ items }) => number(items.length), kind: "number" },
        { title: w.auto, of: ({ auto }) => auto && <span class="tag">{w.itself}</span> },
      ]}
      dialog={({ thing, onClose }) => <TemplateDialog one={thing} shut={shut} onClose={onClose} />}
    />
  );
}

interface TemplateProps {
  readonly one: ChecklistTemplate | undefined;
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function TemplateDialog({ one, shut, onClose }: TemplateProps) {
  return (
    <Dialog title={one?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.checklists.${one?.id ?? "new"}`}
        fields={fieldsNow()}
        value={valuesOf(one)}
        {...(one && { fresh: () => now(one) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (changes, all) => {
          const { name, kind, items, auto } = one ? { ...(await now(one)), ...changes } : all;
          const input = { ...(one && { id: one.id }), name: String(name), kind: String(kind), items: lines(items), auto: auto === true };
          await act("checklists.template_save", input, { said: one ? w.changed(input.name) : w.made(input.name), undo: true });
          onClose();
        }}
      >
        {one && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat}
            onRemove={() => void attempt("checklists.template_delete", { id: one.id }, { said: w.deleted(one.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** What is sent with a change is not what somebody changed meanwhile. */
async function now({ id }: ChecklistTemplate): Promise<Values> {
  return valuesOf((await server.checklists.templates()).find((one) => one.id === id));
}

function fieldsNow(): FormField[] {
  const types = tables.type.all().sort((one, other) => other.level - one.level || compare(one.name, other.name));
  return [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "kind", label: w.type, kind: "choice", choices: types.map(({ key, name }) => ({ value: key, title: name })) },
    { name: "items", label: w.items, kind: "lines", hint: w.itemsWhat, required: true },
    { name: "auto", label: w.auto, kind: "check", hint: w.autoWhat },
  ];
}

function valuesOf(one: ChecklistTemplate | undefined): Values {
  const usual = tables.type.all().find(({ level }) => level === 0)?.key ?? "";
  return { name: one?.name ?? "", kind: one?.kind ?? usual, items: one?.items ?? [], auto: one?.auto ?? false };
}
