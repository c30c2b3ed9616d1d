/** Setting an own field of all that are selected: which one, what it is to hold, and then what would come of it. */
import { useRef, useState } from "preact/hooks";
import { askOwn, dismiss, type OwnOf, previewBulk } from "../issues/asked.ts";
import { words as bulk } from "../issues/bulk_words.ts";
import { ownOfMany, ownText, writtenName } from "../issues/own.tsx";
import { keepDraft } from "../store/drafts.ts";
import type { OwnField } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { Picker } from "../ui/picker.tsx";
import { t } from "../ui/texts.ts";
import { OwnEditor } from "./editor.tsx";
import { FORMS } from "./forms.ts";
import { words } from "./texts.ts";

/** Whose drafts they are: of no issue. */
const MANY = "many";
const SEVERAL: readonly OwnField["kind"][] = ["multi_select", "members"];
/** Before the key of a field that is to hold nothing. */
const EMPTY = "-";

export function OwnOfMany({ of }: { of: OwnOf }) {
  const field = of.field === undefined ? undefined : tables.field.watch(of.field);
  return field ? <Value key={field.key} of={of} field={field} /> : <Which of={of} />;
}

function Which({ of: { issues, at } }: { of: OwnOf }) {
  const fields = ownOfMany(issues);
  // What is chosen from a list has nothing among its choices; the others are emptied by a choice of its own.
  const emptied = fields.filter(({ kind }) => kind in FORMS || SEVERAL.includes(kind));
  const options = [
    ...fields.map(({ key, name }) => ({ value: key, title: name })),
    ...emptied.map(({ key, name }) => ({ value: `${EMPTY}${key}`, title: words.empty(name) })),
  ];
  const choose = (chosen: string): void => {
    const field = fields.find(({ key }) => key === chosen.replace(EMPTY, ""));
    if (!field) return;
    // Behind the closing of this list.
    queueMicrotask(() => (chosen.startsWith(EMPTY) ? preview(issues, field, null) : askOwn({ issues, at, field: field.key })));
  };
  return <Picker label={words.which} at={at} options={options} chosen={[]} onChoose={choose} onClose={dismiss} />;
}

function Value({ of: { issues, at }, field }: { of: OwnOf; field: OwnField }) {
  const form = FORMS[field.kind];
  const several = SEVERAL.includes(field.kind);
  const [value, setValue] = useState<unknown>(form || several ? null : undefined);
  const said = useRef<{ readonly value: unknown } | undefined>(undefined);
  const set = (next: unknown): Promise<undefined> => {
    said.current = { value: next };
    if (several) setValue(next);
    return Promise.resolve(undefined);
  };
  const close = (): void => {
    if (!said.current) return dismiss();
    const next = said.current.value;
    // It is not set yet: who goes back from what would come of it finds it again.
    const draft = writtenName(MANY, field.key);
    if (form) keepDraft(draft, JSON.stringify({ text: form.write(next), base: form.write(null) }));
    dismiss();
    queueMicrotask(() => preview(issues, field, next, () => keepDraft(draft, "")));
  };
  return <OwnEditor field={field} value={value} at={at} of={MANY} onSet={set} onClose={close} />;
}

function preview(issues: readonly number[], field: OwnField, value: unknown, onDone?: () => void): void {
  const title = bulk.set(field.name, ownText(field, value) || t.none);
  previewBulk({ title, issues, changes: { values: { [field.key]: value } }, ...(onDone && { onDone }) });
}
