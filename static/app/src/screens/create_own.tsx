/** The own fields of a new issue: those that its project asks for on its type. */
import { useEffect, useState } from "preact/hooks";
import { type FieldLayout, Problem } from "@kbwork/client";
import { DRAFT, type Draft } from "../issues/drafted.ts";
import { askedOf, type LaidOut, OwnChip, type OwnValues, pathOf, writtenName } from "../issues/own.tsx";
import { keepDraft } from "../store/drafts.ts";
import type { IssueType, OwnField } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { heldBy, ruled } from "./create_rules.ts";

/** Why values are refused, by the keys of their fields. */
export type Refused = Readonly<Record<string, string>>;

/** By project, as they were when they were asked for last. */
const known = new Map<string, readonly FieldLayout[]>();

/** None until it is known how they are laid out; where the server does not answer, all that there may be. */
export function useOwn(draft: Draft, type: IssueType | undefined): LaidOut[] {
  const { project } = draft;
  const [, setCame] = useState(0);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (!project) return;
    let late = false;
    const came = (): void => {
      if (!late) setCame((count) => count + 1);
    };
    setAway(false);
    server.fields.layout({ project }).then(
      (layouts) => (known.set(project, layouts), came()),
      (error: unknown) => late || setAway(away(error)),
    );
    return () => {
      late = true;
    };
  }, [project]);
  const layouts = known.get(project);
  if (!type || !(layouts || isAway)) return [];
  const all = askedOf(layouts, project, type.key);
  const own = (key: string): unknown => {
    const field = tables.field.get(key);
    return field && heldIn(draft.values, field);
  };
  const { rules = [] } = layouts?.find((one) => one.type === type.key) ?? {};
  return ruled(all, rules, heldBy(draft, type, own), project);
}

/** What the server is told: of fields that are asked for, what was said. */
export function valuesOf(fields: readonly LaidOut[], said: OwnValues): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap(({ field: { key } }) => (key in said ? [[key, said[key]]] : [])));
}

/** What a field will hold: what was said, else what it holds unless something is said. */
export function heldIn(said: OwnValues, { key, default: usual }: OwnField): unknown {
  return (key in said ? said[key] : usual) ?? null;
}

/** It is made: what was written into its fields and not set is of no other issue. */
export function forgetWritten(fields: readonly LaidOut[]): void {
  for (const { field } of fields) keepDraft(writtenName(DRAFT, field.key), "");
}

/** What of a refusal is said of fields that are shown. */
export function refusedOf(error: unknown, fields: readonly LaidOut[]): Refused {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(error.errors.flatMap(({ path, message }) => {
    const found = fields.find(({ field }) => pathOf(field.key) === path);
    return found ? [[found.field.key, message]] : [];
  }));
}

interface OwnChipsProps {
  readonly fields: readonly LaidOut[];
  readonly values: OwnValues;
  readonly refused: Refused;
  readonly onEdit: (key: string, at: Element) => void;
}

export function OwnChips({ fields, values, refused, onEdit }: OwnChipsProps) {
  const [first] = fields.flatMap(({ field: { key } }) => (refused[key] ? key : []));
  useEffect(() => {
    if (first) document.querySelector<HTMLElement>(`.create [data-own="${first}"]`)?.focus();
  }, [refused]);
  if (!fields.length) return null;
  return (
    <div class="bar">
      {fields.map(({ field, needed }) => (
        <OwnChip
          key={field.key}
          field={field}
          value={heldIn(values, field)}
          needed={needed}
          wrong={refused[field.key] && `refused-${field.key}`}
          onEdit={(at) => onEdit(field.key, at)}
        />
      ))}
      {fields.map(({ field: { key } }) => refused[key] && <p class="wrong" role="alert" id={`refused-${key}`} key={key}>{refused[key]}</p>)}
    </div>
  );
}
