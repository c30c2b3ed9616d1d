/** Choosing what to filter by: first a field, then its values. */
import { useState } from "preact/hooks";
import { dismiss } from "../issues/asked.ts";
import { type Option, Picker } from "../ui/picker.tsx";
import { number, t } from "../ui/texts.ts";
import { countOf } from "./bar.tsx";
import { type Choice, type Condition, CONDITIONS, FIELDS, type FilterField } from "./fields.tsx";
import { setTerms, setTql, terms, tql } from "./state.ts";
import { type FieldTerm, type Term, write } from "./terms.ts";

const MOST = 200;

export function FilterPicker({ field: asked, at }: { field: FilterField | undefined; at: Element | null }) {
  const [field, setField] = useState(asked);
  return field ? <Values field={field} at={at} /> : <Fields at={at} onField={setField} />;
}

/** Fields, and what is so or not of an issue. */
function Fields({ at, onField }: { at: Element | null; onField: (field: FilterField) => void }) {
  const conditions = Object.entries(CONDITIONS).map(([name, { title, fits }]) => ({ value: name, title, hint: number(countOf(fits)) }));
  const fields = Object.entries(FIELDS).map(([name, { title }]) => ({ value: name, title, hint: "…" }));
  const onChoose = (name: string): void => {
    if (name in FIELDS) return onField(name as FilterField);
    add({ condition: name as Condition, not: false });
    dismiss();
  };
  return <Picker key="fields" label={t.filterBy} at={at} options={[...fields, ...conditions]} chosen={[]} stays onChoose={onChoose} onClose={dismiss} />;
}

function Values({ field, at }: { field: FilterField; at: Element | null }) {
  const now = terms.value?.find((term): term is FieldTerm => "field" in term && term.field === field);
  const options = FIELDS[field].choices().map(optionOf);
  const onChoose = (value: string): void => {
    const before = now?.values ?? [];
    const values = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
    put(now, values.length ? { field, not: now?.not ?? false, values } : undefined);
  };
  return (
    <Picker key={field} label={FIELDS[field].title} at={at} options={options} chosen={now?.values ?? []} many most={MOST} onChoose={onChoose} onClose={dismiss} />
  );
}

/** How many have it is counted when it is shown: issues above others can be thousands, over tens of thousands. */
function optionOf({ value, title, mark, fits }: Choice): Option<string> {
  let count: string | undefined;
  return { value, title, mark, get hint() { return (count ??= number(countOf(fits))); } };
}

function add(term: Term): void {
  put(undefined, term);
}

/** In the place of one that is there, or behind the others; behind a query that chips cannot say, too. */
function put(before: Term | undefined, next: Term | undefined): void {
  const some = terms.value;
  if (!some) {
    if (next) setTql(`(${tql.value}) and ${write([next])}`);
    return;
  }
  const found = some.flatMap((term) => (term === before ? (next ?? []) : term));
  setTerms(before || !next ? found : [...found, next]);
}
