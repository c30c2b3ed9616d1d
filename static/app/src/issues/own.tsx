/** Fields that the org made for issues: which are laid out, and what they hold as people read it. */
import type { FieldLayout } from "@kbwork/client";
import type { OwnField } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { compare, day, duration, moment, money, precisely, t } from "../ui/texts.ts";
import { Dot, nameOf, Who } from "./marks.tsx";

/** By the keys of fields; what holds nothing is null, or is not there. */
export type OwnValues = Readonly<Record<string, unknown>>;

/** How events, changes and refusals name an own field. */
const PREFIX = "values.";

export function pathOf(key: string): `values.${string}` {
  return `${PREFIX}${key}`;
}

/** The draft of what is written into a field and not set yet; `of`: whose field it is. */
export function writtenName(of: string, key: string): string {
  return `own.${of}.${key}`;
}

/** The own field that is named so; undefined: none. */
export function ownNamed(path: string): OwnField | undefined {
  const key = keyIn(path);
  return key === undefined ? undefined : tables.field.watch(key);
}

/** The key of the own field that is named so; undefined: none is. */
export function keyIn(path: string): string | undefined {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : undefined;
}

export interface LaidOut {
  readonly field: OwnField;
  readonly needed: boolean;
}

/** Those that an issue of a type shows, in order; of such as are only asked for when one is made, those that hold something. */
export function shownOf(layouts: readonly FieldLayout[], type: string, values: OwnValues): LaidOut[] {
  const layout = layouts.find((one) => one.type === type);
  const keys = Object.keys(values).filter((key) => values[key] !== null);
  return known([...(layout?.edit ?? []), ...keys], layout?.required ?? []);
}

/** Those that are asked for when an issue of a type is made. Where no layout is here, all that there may be. */
export function askedOf(layouts: readonly FieldLayout[] | undefined, project: string, type: string): LaidOut[] {
  const layout = layouts?.find((one) => one.type === type);
  if (layout) return known([...layout.create, ...layout.required], layout.required);
  const all = tables.field.all().filter((field) => fits(field, project, type) && isFillable(field));
  return all.sort((one, other) => compare(one.name, other.name)).map((field) => ({ field, needed: false }));
}

/** Whether issues of a project and type may have it. */
export function fits({ on, projects, types }: OwnField, project: string, type: string): boolean {
  return on === "issue" && (!projects.length || projects.includes(project)) && (!types.length || types.includes(type));
}

function known(keys: readonly string[], needed: readonly string[]): LaidOut[] {
  return [...new Set(keys)].flatMap((key) => {
    const field = tables.field.watch(key);
    return field ? { field, needed: needed.includes(key) } : [];
  });
}

/** Nobody sets what is computed. */
export function isFillable({ kind }: OwnField): boolean {
  return kind !== "formula" && kind !== "rollup";
}

/** A value in words; of nothing there are none. */
export function ownText({ kind }: OwnField, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => textOf(kind, one)).join(kind === "cascade" ? " / " : ", ");
  return textOf(kind, value);
}

function textOf(kind: OwnField["kind"], value: unknown): string {
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") {
    if (kind === "datetime") return moment(value);
    if (kind === "duration") return duration(value);
    if (kind === "rating") return t.stars(value);
    return kind === "team" ? (tables.team.watch(value)?.name ?? String(value)) : precisely(value);
  }
  if (typeof value !== "string") {
    const { amount, currency } = value as { amount: number; currency: string };
    return money(amount, currency);
  }
  if (kind === "member" || kind === "members") return nameOf(value) ?? "";
  return kind === "date" ? day(value) : value;
}

/** A value with its mark. */
export function OwnValue({ field, value }: { field: OwnField; value: unknown }) {
  const text = ownText(field, value);
  if (field.kind === "rating" && typeof value === "number") {
    return (
      <>
        <span aria-hidden="true">{stars(value)}</span>
        <span class="hidden">{text}</span>
      </>
    );
  }
  if (field.kind === "member") return <><Who id={value as string} /><span class="cut" dir="auto">{text}</span></>;
  const chosen = field.kind === "cascade" ? [] : field.options.filter(({ name }) => [value].flat().includes(name));
  if (!chosen.length) return <span class="cut" dir="auto">{text}</span>;
  return <>{chosen.map(({ id, name, color }) => <span class="bar own-option" key={id}><Dot color={color} /><span class="cut" dir="auto">{name}</span></span>)}</>;
}

export function stars(count: number): string {
  return "★".repeat(count) + "☆".repeat(5 - count);
}

interface OwnChipProps {
  readonly field: OwnField;
  readonly value: unknown;
  readonly needed?: boolean;
  /** Why it was refused, which stands in the element of this id. */
  readonly wrong?: string | undefined;
  /** Left out: it is only to be read. */
  readonly onEdit?: ((at: Element) => void) | undefined;
}

/** A field by its name and value: a button where it can be changed, a link where it leads somewhere. */
export function OwnChip({ field, value, needed, wrong, onEdit }: OwnChipProps) {
  const inner = (
    <>
      <span class="meta">{field.name}{needed && <span aria-hidden="true"> *</span>}</span>
      <span class="hidden">{needed ? ` (${t.required}): ` : ": "}</span>
      <OwnValue field={field} value={value} />
    </>
  );
  const about = { class: `chip own${wrong ? " refused" : ""}`, "data-own": field.key, title: `${field.name}: ${ownText(field, value) || t.none}` };
  if (onEdit) {
    return (
      <button type="button" {...about} aria-describedby={wrong} onClick={(event) => onEdit(event.currentTarget)}>
        {inner}
      </button>
    );
  }
  if (typeof value === "string" && field.kind === "url") return <a {...about} href={value} target="_blank" rel="noopener noreferrer">{inner}</a>;
  if (typeof value === "string" && field.kind === "issue") return <a {...about} data-in href={`/issues/${value}`}>{inner}</a>;
  return <span {...about}>{inner}</span>;
}

/** What is shown as a link, so that a click leads there. */
export function isLink({ kind }: OwnField): boolean {
  return kind === "url" || kind === "issue";
}

/** Those that any of some issues may have, by name. */
export function ownOfMany(issues: readonly number[]): OwnField[] {
  const kinds = new Map(issues.flatMap((id) => tables.issue.get(id) ?? []).map(({ project, type }) => [`${project} ${type}`, [project, type] as const]));
  const found = tables.field.all().filter((field) => isFillable(field) && [...kinds.values()].some(([project, type]) => fits(field, project, type)));
  return found.sort((one, other) => compare(one.name, other.name));
}
