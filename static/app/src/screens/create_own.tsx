/** The own fields of a new issue: those that its project asks for on its type. */
import { useEffect, useState } from "preact/hooks";
import { type FieldLayout, Problem } from "@kbwork/client";
import { DRAFT, type Draft } from "../issues/drafted.ts";
import { askedOf, keyIn, type LaidOut, OwnChip, type OwnValues, writtenName } from "../issues/own.tsx";
import { keepDraft } from "../store/drafts.ts";
import type { IssueType } from "../store/kinds.ts";
import { resets } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { filled, heldBy, ruled, rulesOf } from "./create_rules.ts";
import { OwnEditor } from "./parts.tsx";

export interface Asked extends LaidOut {
  /** What it will hold: what was said, else what it holds unless something is said. */
  readonly value: unknown;
}

/** Why values are refused, by the keys of their fields. */
export type Refused = Readonly<Record<string, string>>;

/** By project, as they were when they were asked for last. */
const known = new Map<string, readonly FieldLayout[]>();

/** Undefined until they are here; none where the server does not answer. */
function useLayouts(project: string): readonly FieldLayout[] | undefined {
  const [, setCame] = useState(0);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (!project) return;
    let late = false;
    setAway(false);
    server.fields.layout({ project }).then(
      (layouts) => {
        known.set(project, layouts);
        if (!late) setCame((count) => count + 1);
      },
      (error: unknown) => late || setAway(away(error)),
    );
    return () => {
      late = true;
    };
  }, [project, resets.value]);
  return known.get(project) ?? (isAway ? [] : undefined);
}

/** What is refused is shown, whatever rules say: the server knows more of them. */
export function useOwn(draft: Draft, type: IssueType | undefined, refused: Refused): Asked[] {
  const { project, values: said } = draft;
  const layouts = useLayouts(project);
  if (!type || !layouts) return [];
  const all = askedOf(layouts, project, type.key);
  const rules = rulesOf(layouts.find((one) => one.type === type.key));
  const usual = (key: string): unknown => (key in said ? said[key] : tables.field.get(key)?.default) ?? null;
  const fills = filled(rules, heldBy(draft, type, usual), project);
  const held = (key: string): unknown => (key in fills && !(key in said) ? fills[key] : usual(key));
  const shown = new Map(ruled(all, rules, heldBy(draft, type, held), project).map((one) => [one.field, one]));
  return all.flatMap((one) => {
    const found = shown.get(one.field) ?? (refused[one.field.key] ? one : undefined);
    return found ? { ...found, value: held(one.field.key) } : [];
  });
}

/** What the server is told: of fields that are asked for, what was said. */
export function valuesOf(fields: readonly LaidOut[], said: OwnValues): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap(({ field: { key } }) => (key in said ? [[key, said[key]]] : [])));
}

/** It is made: what was written into its fields and not set is of no other issue. */
export function forgetWritten(fields: readonly LaidOut[]): void {
  for (const { field } of fields) keepDraft(writtenName(DRAFT, field.key), "");
}

/** What of a refusal is said of own fields. */
export function refusedOf(error: unknown): Refused {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(error.errors.flatMap(({ path, message }) => {
    const key = keyIn(path);
    return key === undefined ? [] : [[key, message]];
  }));
}

interface OwnChipsProps {
  readonly fields: readonly Asked[];
  readonly refused: Refused;
  readonly onEdit: (key: string, at: Element) => void;
}

export function OwnChips({ fields, refused, onEdit }: OwnChipsProps) {
  const first = fields.find(({ field }) => refused[field.key])?.field.key;
  useEffect(() => {
    if (first) document.querySelector<HTMLElement>(`.create [data-own="${first}"]`)?.focus();
  }, [refused]);
  const has = fields.length > 0;
  useEffect(() => {
    if (has) OwnEditor.fetch().catch(() => undefined); // it comes when it is needed, then
  }, [has]);
  if (!has) return null;
  return (
    <div class="bar">
      {fields.map(({ field, value, needed }) => (
        <OwnChip
          key={field.key}
          field={field}
          value={value}
          needed={needed}
          wrong={refused[field.key] && `refused-${field.key}`}
          onEdit={(at) => onEdit(field.key, at)}
        />
      ))}
      {fields.map(({ field: { key } }) => refused[key] && <p class="wrong" role="alert" id={`refused-${key}`} key={key}>{refused[key]}</p>)}
    </div>
  );
}
