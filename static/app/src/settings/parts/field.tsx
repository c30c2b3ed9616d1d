/** One field of a form, in the kinds that settings have. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { QueryLine } from "../../filter/query_line.tsx";
import { s } from "../texts.ts";
import type { Values } from "./form.tsx";
import { Tokens } from "./tokens.tsx";

export type Value = string | number | boolean | null | undefined | readonly string[];

export interface Choice {
  readonly value: string;
  readonly title: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: "text" | "area" | "number" | "check" | "choice" | "many" | "lines" | "color" | "email" | "secret" | "secrets" | "time" | "query" | "code" | "tokens" | "own";
  readonly choices?: readonly Choice[];
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly max?: number;
  /** It can be read, and not be changed any more. */
  readonly fixed?: boolean;
  readonly when?: (all: Values) => boolean;
  /** Of a query: the project whose lanes and fields are proposed. */
  readonly project?: string | undefined;
  /** What the server calls it, where that is not its name. */
  readonly path?: string;
  /** How one of its own kind is drawn. */
  readonly draw?: (drawn: Drawn) => ComponentChildren;
}

/** What was refused inside of a field, by its place. */
export type Within = readonly { readonly path: string; readonly message: string }[];

export interface Drawn {
  readonly value: Value;
  readonly shut: boolean;
  readonly within: Within;
  /** What the whole form holds. */
  readonly all: Values;
  readonly onChange: (to: Value) => void;
}

interface ControlProps {
  readonly field: FormField;
  readonly value: Value;
  readonly all: Values;
  readonly wrong: string | undefined;
  readonly within: Within;
  readonly shut: boolean;
  readonly onChange: (to: Value) => void;
}

/** Whether a place stands inside of another one, or is it. */
export function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

export function Control(props: ControlProps) {
  const { field, value, all, wrong, within, shut, onChange } = props;
  const id = useId();
  const told = field.hint || wrong ? `${id}-told` : undefined;
  const notes = (
    <span class="told" id={told}>
      {field.hint && <span class="meta">{field.hint}</span>}
      {wrong && <span class="wrong" role="alert">{wrong}</span>}
    </span>
  );
  const disabled = shut || field.fixed === true;
  if (field.kind === "check") {
    return (
      <div class="set check">
        <input type="checkbox" id={id} checked={value === true} disabled={disabled} aria-describedby={told} onChange={(event) => onChange(event.currentTarget.checked)} />
        <label for={id}>{field.label}</label>
        {told && notes}
      </div>
    );
  }
  if (field.kind === "own") {
    return (
      <fieldset class="set" aria-describedby={told}>
        <legend>{field.label}</legend>
        {told && notes}
        {field.draw?.({ value, shut: disabled, within, all, onChange })}
      </fieldset>
    );
  }
  if (field.kind === "many") return <Many {...props} disabled={disabled} notes={told ? notes : null} />;
  const same = {
    id,
    disabled,
    "aria-describedby": told,
    "aria-invalid": wrong ? true : undefined,
    "aria-required": field.required,
    maxLength: field.max,
    placeholder: field.placeholder,
  };
  return (
    <div class="set">
      <label for={id}>{field.label}</label>
      <Input field={field} value={value} same={same} onChange={onChange} />
      {told && notes}
    </div>
  );
}

interface InputProps {
  readonly field: FormField;
  readonly value: Value;
  readonly same: Record<string, unknown>;
  readonly onChange: (to: Value) => void;
}

function Input({ field, value, same, onChange }: InputProps) {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  switch (field.kind) {
    case "area":
      return <textarea {...same} rows={3} value={text} onInput={(event) => onChange(event.currentTarget.value)} />;
    case "query":
      return <QueryLine told={same} label={s.proposed(field.label)} text={text} project={field.project} onText={onChange} />;
    case "code":
      return <textarea {...same} class="mono" rows={8} spellcheck={false} value={text} onInput={(event) => onChange(event.currentTarget.value)} />;
    case "tokens":
      return <Tokens field={field} value={Array.isArray(value) ? value : []} same={same} onChange={onChange} />;
    case "lines":
    case "secrets":
      return (
        <textarea
          {...same}
          rows={3}
          value={Array.isArray(value) ? value.join("\n") : text}
          onInput={(event) => onChange(event.currentTarget.value.split("\n"))}
        />
      );
    case "choice":
      return (
        <select {...same} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
          {(field.choices ?? []).map((choice) => <option key={choice.value} value={choice.value}>{choice.title}</option>)}
        </select>
      );
    case "number":
      return (
        <input
          {...same}
          type="number"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
        />
      );
    case "color":
      return <input {...same} type="color" placeholder={undefined} value={text || "#6b7280"} onInput={(event) => onChange(event.currentTarget.value)} />;
    default:
      return (
        <>
          <input
            {...same}
            type={typeOf(field.kind)}
            autocomplete="off"
            list={field.choices && `${String(same["id"])}-list`}
            value={text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {field.choices && <Proposals id={`${String(same["id"])}-list`} of={field.choices} />}
        </>
      );
  }
}

/** What fits is proposed by the browser while one writes. */
export function Proposals({ id, of }: { id: string; of: readonly Choice[] }) {
  return <datalist id={id}>{of.map(({ value, title }) => <option key={value} value={value}>{title === value ? undefined : title}</option>)}</datalist>;
}

function Many({ field, value, disabled, notes, onChange }: ControlProps & { disabled: boolean; notes: preact.ComponentChildren }) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset class="set many" disabled={disabled}>
      <legend>{field.label}</legend>
      <div class="choices">
        {(field.choices ?? []).map((choice) => (
          <label key={choice.value}>
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value))
              }
            />
            <span class="cut">{choice.title}</span>
          </label>
        ))}
        {!field.choices?.length && <span class="meta">{s.noChoices}</span>}
      </div>
      {notes}
    </fieldset>
  );
}

/** Lines as people type them, without the empty ones. */
export function lines(value: Value): string[] {
  const all = Array.isArray(value) ? value : String(value ?? "").split(/[\n,;]/);
  return all.map((line: string) => line.trim()).filter(Boolean);
}

/** One type for all of them: what the library tells apart by it makes no difference here. */
const typeOf = (kind: FormField["kind"]): "text" =>
  (kind === "secret" ? "password" : kind === "email" ? "email" : kind === "time" ? "date" : "text") as "text";
