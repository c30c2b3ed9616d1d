/** One field of a form, in the kinds that settings have. */
import { useId } from "preact/hooks";
import { s } from "../texts.ts";
import type { Values } from "./form.tsx";

export type Value = string | number | boolean | null | undefined | readonly string[];

export interface Choice {
  readonly value: string;
  readonly title: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: "text" | "area" | "number" | "check" | "choice" | "many" | "lines" | "color" | "email" | "secret" | "time";
  readonly choices?: readonly Choice[];
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly max?: number;
  /** It can be read, and not be changed any more. */
  readonly fixed?: boolean;
  readonly when?: (all: Values) => boolean;
}

interface ControlProps {
  readonly field: FormField;
  readonly value: Value;
  readonly wrong: string | undefined;
  readonly shut: boolean;
  readonly onChange: (to: Value) => void;
}

export function Control(props: ControlProps) {
  const { field, value, wrong, shut, onChange } = props;
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
    case "lines":
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
        <input
          {...same}
          type={typeOf(field.kind)}
          autocomplete="off"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
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
