/** What a proposal would do to an issue, as far as that is a change of its fields or something that is said. */
import type { AIProposal, Issue as WholeIssue } from "@kbwork/client";

/** A field, by the name that the history gives it, with what it holds and would hold. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export type Effect =
  | { readonly kind: "fields"; readonly changes: readonly FieldChange[] }
  | { readonly kind: "comment"; readonly body: string; readonly internal: boolean }
  | { readonly kind: "other"; readonly input: readonly (readonly [name: string, value: unknown])[] };

type Members = Readonly<Record<string, unknown>>;

/** Inputs that name the issue, or say how it is done and not what. */
const ABOUT = ["key", "subject", "if_seq", "body_doc"];

export function effectOf({ op, input }: Pick<AIProposal, "op" | "input">, whole: WholeIssue): Effect {
  const given = input !== null && typeof input === "object" && !Array.isArray(input) ? (input as Members) : {};
  if (isAbout(given, whole)) {
    if (op === "issues.update") return { kind: "fields", changes: updates(given, whole) };
    if (op === "issues.transition") return { kind: "fields", changes: [{ field: "status", from: whole.status, to: given["to_status"] }, ...values(given["values"], whole)] };
    if (op === "issues.assign") return { kind: "fields", changes: [{ field: "assignees", from: whole.assignees, to: assigned(given, whole) }] };
    if (op === "issues.convert") return { kind: "fields", changes: [{ field: "type", from: whole.type, to: given["type"] }] };
    if (op === "comments.create") return { kind: "comment", body: String(given["body"] ?? ""), internal: given["internal"] === true };
  }
  return { kind: "other", input: Object.entries(given) };
}

/** Whether it is done to this issue: a model may have been asked about one and name another. */
function isAbout(given: Members, { id, key }: WholeIssue): boolean {
  const named = String(given["key"] ?? given["subject"] ?? "").replace(/^issue:/, "").toUpperCase();
  return [key, String(id)].includes(named);
}

function updates(given: Members, whole: WholeIssue): FieldChange[] {
  const now = whole as unknown as Members;
  const plain = Object.entries(given).filter(([name, to]) => !ABOUT.includes(name) && name !== "values" && to !== undefined);
  return [...plain.map(([field, to]) => ({ field, from: now[field], to })), ...values(given["values"], whole)];
}

/** Own fields, as the history names them. */
function values(given: unknown, whole: WholeIssue): FieldChange[] {
  if (given === null || typeof given !== "object") return [];
  return Object.entries(given as Members).map(([key, to]) => ({ field: `values.${key}`, from: whole.values[key], to }));
}

function assigned({ assignees, mode }: Members, whole: WholeIssue): unknown {
  const named = Array.isArray(assignees) ? assignees : [];
  if (mode === "add") return [...new Set([...whole.assignees, ...named])];
  return mode === "remove" ? whole.assignees.filter((one) => !named.includes(one)) : named;
}
