/** The form of a request type: its questions one below the other, each for a field, asked always or by an answer before it. */
import type { FieldLayout, FormQuestion } from "@kbwork/client";
import { shownOf } from "../../issues/own.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type Drawn, isAt, type Value } from "../parts/field.tsx";
import { w } from "./texts.ts";

interface QuestionsProps {
  readonly drawn: Drawn;
  readonly layouts: readonly FieldLayout[] | undefined;
}

interface Askable {
  readonly key: string;
  readonly title: string;
  readonly choices: readonly string[];
}

type Question = Omit<FormQuestion, "show_if"> & { readonly show_if?: { readonly field?: unknown; readonly op?: unknown; readonly value?: unknown } | null };

/** Their values name what a customer does not see, or nobody fills them in. */
const NOT_FOR_CUSTOMERS = ["member", "members", "team", "issue", "page", "asset", "formula", "rollup"];
const OWN = "*";

export function questionsIn(value: Value): Question[] {
  return JSON.parse(String(value || "[]")) as Question[];
}

export function Questions({ drawn: { value, shut, within, all: whole, onChange }, layouts }: QuestionsProps) {
  const all = questionsIn(value);
  const fields: Askable[] = [
    ...Object.entries(w.plain).map(([key, title]) => ({ key, title, choices: key === "priority" ? ["urgent", "high", "medium", "low"] : [] })),
    ...shownOf(layouts ?? [], String(whole["issue_type"]), {}).filter(({ field }) => !NOT_FOR_CUSTOMERS.includes(field.kind)).map(({ field }) => ({ key: field.key, title: field.name, choices: field.options.filter(({ archived }) => !archived).map(({ name }) => name) })),
  ];
  const free = fields.filter(({ key }) => !all.some((one) => one.field === key));
  const put = (next: readonly Question[]): void => onChange(JSON.stringify(next));
  const change = (at: number, part: Partial<Question>): void => put(all.map((one, each) => (each === at ? { ...one, ...part } : one)));
  const move = (at: number, by: -1 | 1): void => {
    const next = [...all];
    next.splice(at + by, 0, ...next.splice(at, 1));
    put(next);
  };
  return (
    <>
      {all.map((one, at) => {
        const field = fields.find(({ key }) => key === one.field);
        return (
          <div class="step" key={at} role="group" aria-label={w.question(at + 1)}>
            <div class="bar">
              <select class="grow" aria-label={w.asksForAt(at + 1)} disabled={shut} value={one.field} onChange={(event) => change(at, { field: event.currentTarget.value })}>
                {!field && <option value={one.field}>{w.notThere(one.field)}</option>}
                {fields.filter(({ key }) => key === one.field || free.some((other) => other.key === key)).map(({ key, title }) => <option key={key} value={key}>{title}</option>)}
              </select>
              {!shut && (
                <>
                  <button type="button" class="mini" disabled={at === 0} aria-label={w.up(w.question(at + 1))} onClick={() => move(at, -1)}>↑</button>
                  <button type="button" class="mini" disabled={at === all.length - 1} aria-label={w.down(w.question(at + 1))} onClick={() => move(at, 1)}>↓</button>
                  <button type="button" class="mini" aria-label={w.takeOut(at + 1)} onClick={() => put(all.filter((_, each) => each !== at))}><Icon of="close" /></button>
                </>
              )}
            </div>
            <input aria-label={w.labelAt(at + 1)} placeholder={w.label} maxLength={500} disabled={shut} value={one.label ?? ""} onInput={(event) => change(at, { label: event.currentTarget.value })} />
            <input aria-label={w.helpAt(at + 1)} placeholder={w.help} disabled={shut} value={one.help ?? ""} onInput={(event) => change(at, { help: event.currentTarget.value })} />
            {field && field.choices.length > 0 && <p class="meta">{w.options(field.choices.join(", "))} {one.field !== "priority" && <a data-in href="/settings/fields">{w.optionsWhere}</a>}</p>}
            <div class="bar">
              <label class="bar"><input type="checkbox" aria-label={w.requiredAt(at + 1)} disabled={shut} checked={one.required} onChange={(event) => change(at, { required: event.currentTarget.checked })} />{w.required}</label>
              <Condition at={at} all={all} fields={fields} shut={shut} onChange={(show_if) => change(at, { show_if })} />
            </div>
            {within.filter(({ path }) => isAt(path, `fields[${at}]`)).map(({ path, message }) => <p class="wrong" role="alert" key={path}>{message}</p>)}
          </div>
        );
      })}
      {!shut && free.length > 0 && (
        <button type="button" onClick={() => put([...all, { field: free[0]!.key, label: "", help: "", required: false, show_if: null }])}>{w.addQuestion}</button>
      )}
    </>
  );
}

interface ConditionProps {
  readonly at: number;
  readonly all: readonly Question[];
  readonly fields: readonly Askable[];
  readonly shut: boolean;
  readonly onChange: (to: NonNullable<Question["show_if"]> | null) => void;
}

/** Always, or by one answer that stands before it; a condition that says more stays as it is. */
function Condition({ at, all, fields, shut, onChange }: ConditionProps) {
  const now = all[at]!.show_if ?? null;
  const before = all.slice(0, at).flatMap(({ field }) => fields.filter(({ key }) => key === field && key !== "description"));
  const isPlain = now !== null && now.op === "=" && typeof now.value === "string" && before.some(({ key }) => key === now.field);
  if (now === null && !before.length) return null;
  const chosen = now === null ? "" : isPlain ? String(now.field) : OWN;
  const choices = before.find(({ key }) => key === chosen)?.choices ?? [];
  return (
    <>
      <select aria-label={w.shownIfAt(at + 1)} disabled={shut} value={chosen} onChange={({ currentTarget: { value } }) => {
        if (value !== OWN) onChange(value ? { field: value, op: "=", value: before.find(({ key }) => key === value)?.choices[0] ?? "" } : null);
      }}>
        <option value="">{w.always}</option>
        {before.map(({ key, title }) => <option key={key} value={key}>{w.onlyIf(title)}</option>)}
        {chosen === OWN && <option value={OWN}>{w.ownCondition}</option>}
      </select>
      {isPlain && (choices.length > 0 ? (
        <select aria-label={w.valueAt(at + 1)} disabled={shut} value={String(now.value)} onChange={(event) => onChange({ ...now, value: event.currentTarget.value })}>
          {choices.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      ) : (
        <input aria-label={w.valueAt(at + 1)} disabled={shut} value={String(now.value)} onInput={(event) => onChange({ ...now, value: event.currentTarget.value })} />
      ))}
    </>
  );
}
