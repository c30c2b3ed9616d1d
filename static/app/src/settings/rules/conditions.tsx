/** What must hold besides, one below the other: a query, a field, or who acts. */
import type { AutomationCatalog } from "@kbwork/client";
import { useId } from "preact/hooks";
import { QueryLine } from "../../filter/query_line.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type Drawn, isAt, Proposals } from "../parts/field.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";
import { type ConditionKind, FIRST_TERM, type Term, termsIn, WITHOUT_VALUE } from "./values.ts";

const KINDS = Object.keys(w.conditionKinds) as ConditionKind[];

export function Conditions({ drawn: { value, shut, within, onChange }, catalog }: { drawn: Drawn; catalog: AutomationCatalog | undefined }) {
  const terms = termsIn(value);
  const put = (next: readonly Term[]): void => onChange(JSON.stringify(next));
  return (
    <>
      {terms.map((term, at) => (
        <div class="step" key={at}>
          <div class="bar">
            <select aria-label={w.conditionKind(at + 1)} value={term.kind} onChange={(event) => put(terms.map((one, each) => (each === at ? { ...one, kind: event.currentTarget.value as ConditionKind } : one)))}>
              {KINDS.map((kind) => <option key={kind} value={kind}>{w.conditionKinds[kind]}</option>)}
            </select>
            <span class="grow" />
            {!shut && <button type="button" class="mini" aria-label={w.takeOutCondition(at + 1)} onClick={() => put(terms.filter((_, each) => each !== at))}><Icon of="close" /></button>}
          </div>
          <Written term={term} at={at + 1} catalog={catalog} onChange={(change) => put(terms.map((one, each) => (each === at ? { ...one, ...change } : one)))} />
          {within.filter(({ path }) => isAt(path, `conditions[${at}]`)).map(({ path, message }) => <p class="wrong" role="alert" key={path}>{message}</p>)}
        </div>
      ))}
      {!shut && <button type="button" onClick={() => put([...terms, FIRST_TERM])}>{w.addCondition}</button>}
    </>
  );
}

interface WrittenProps {
  readonly term: Term;
  readonly at: number;
  readonly catalog: AutomationCatalog | undefined;
  readonly onChange: (change: Partial<Term>) => void;
}

function Written({ term: { kind, field, op, text }, at, catalog, onChange }: WrittenProps) {
  const id = useId();
  const put = (event: { currentTarget: { value: string } }): void => onChange({ text: event.currentTarget.value });
  if (kind === "tql") return <QueryLine told={{ "aria-label": w.conditionQuery(at) }} label={s.proposed(w.conditionQuery(at))} text={text} project={undefined} onText={(query) => onChange({ text: query })} />;
  if (kind === "other") return <textarea class="mono" aria-label={w.json(at)} rows={3} spellcheck={false} value={text} onInput={put} />;
  if (kind === "role") {
    return (
      <>
        <input aria-label={w.role(at)} list={id} autocomplete="off" value={text} onInput={put} />
        <Proposals id={id} of={w.roles.map((role) => ({ value: role, title: role }))} />
      </>
    );
  }
  const fields = (catalog?.subjects ?? []).flatMap((subject) => subject.fields.map(({ name }) => ({ value: name, title: name })));
  return (
    <div class="bar">
      <input aria-label={w.field(at)} list={id} autocomplete="off" value={field} onInput={(event) => onChange({ field: event.currentTarget.value })} />
      <Proposals id={id} of={fields} />
      <select aria-label={w.op(at)} value={op} onChange={(event) => onChange({ op: event.currentTarget.value })}>
        {Object.entries(s.conditions.ops).map(([one, title]) => <option key={one} value={one}>{title}</option>)}
      </select>
      {!WITHOUT_VALUE.includes(op) && <input class="grow" aria-label={w.value(at)} autocomplete="off" value={text} onInput={put} />}
    </div>
  );
}
