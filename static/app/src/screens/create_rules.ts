/** The rules of a layout, asked of an issue that is not there yet: what they show, what must hold something, what they fill in. */
import type { FieldLayout } from "@kbwork/client";
import type { Draft } from "../issues/drafted.ts";
import type { LaidOut, OwnValues } from "../issues/own.tsx";
import type { IssueType } from "../store/kinds.ts";
import { me, myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";

/** As `fields.layout` answers it. */
interface Rule {
  readonly if: Condition;
  readonly show: readonly string[];
  readonly require: readonly string[];
  readonly set: OwnValues;
}

interface Condition {
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly role?: string;
  readonly field?: string | null;
  readonly op?: string;
  readonly value?: unknown;
}

/** What stands in a field, each of it; undefined: it is not known before the issue is there. */
type Have = (field: string) => readonly unknown[] | undefined;

export function rulesOf(layout: FieldLayout | undefined): readonly Rule[] {
  return (layout?.rules ?? []) as readonly unknown[] as readonly Rule[];
}

/** What rules that hold fill in where nothing is said; of two the first counts. */
export function filled(rules: readonly Rule[], have: Have, project: string): OwnValues {
  const held = rules.filter((rule) => holds(rule.if, have, rolesIn(project)));
  return Object.assign({}, ...held.toReversed().map((rule) => rule.set));
}

/** The fields without those that only rules show that do not hold. What cannot be told here is shown. */
export function ruled(fields: readonly LaidOut[], rules: readonly Rule[], have: Have, project: string): LaidOut[] {
  const told = rules.map((rule) => ({ ...rule, holds: holds(rule.if, have, rolesIn(project)) }));
  const hidden = new Set(told.flatMap(({ show }) => show));
  const shown = new Set(told.flatMap((rule) => (rule.holds === false ? [] : rule.show)));
  const needed = new Set(told.flatMap((rule) => (rule.holds ? rule.require : [])));
  return fields.flatMap((one) => {
    const { key } = one.field;
    return hidden.has(key) && !shown.has(key) ? [] : { ...one, needed: one.needed || needed.has(key) };
  });
}

/** What a draft is to hold: `own` answers for own fields. */
export function heldBy({ title, priority, parent, assignee }: Draft, type: IssueType, own: (key: string) => unknown): Have {
  const called = (id: string): unknown[] => [id, `@${tables.member.get(id)?.handle ?? ""}`];
  const facts: Readonly<Record<string, readonly unknown[] | undefined>> = {
    title: [title].filter(Boolean),
    priority: [priority],
    parent: [parent].filter(Boolean),
    assignee: assignee ? called(assignee) : [],
    reporter: called(myId.peek()),
    type: [type.key, type.name],
    label: [],
    due: [],
    start: [],
    estimate: [],
    status: undefined,
    level: undefined,
  };
  return (field) => {
    if (field in facts) return facts[field];
    const value = own(field);
    const kind = tables.field.get(field)?.kind;
    if (value === null || value === undefined) return [];
    // What stands under an option is of that option, too.
    if (kind === "cascade") return (value as unknown[]).map((_, at, path) => path.slice(0, at + 1));
    if (kind === "money") return [(value as { amount: number }).amount];
    return [value].flat();
  };
}

function rolesIn(project: string): readonly (string | null | undefined)[] {
  return [me.peek()?.member.role, tables.project.get(project)?.my_role];
}

function holds({ all, any, role, field, op, value }: Condition, have: Have, roles: readonly unknown[]): boolean | undefined {
  if (all) return together(all.map((one) => holds(one, have, roles)), false);
  if (any) return together(any.map((one) => holds(one, have, roles)), true);
  if (role !== undefined) return role.startsWith("team:") ? undefined : roles.includes(role);
  const found = field ? have(field) : [];
  if (found === undefined) return undefined;
  if (op === "empty" || op === "not_empty") return found.length > 0 === (op === "not_empty");
  if (op === "!=") return !found.some((one) => same(one, value));
  if (op === "in") return found.some((one) => (value as unknown[]).some((other) => same(one, other)));
  return found.some((one) => compared(op, one, value));
}

/** Of what is not known, the others decide where they can. */
function together(parts: readonly (boolean | undefined)[], decides: boolean): boolean | undefined {
  if (parts.includes(decides)) return decides;
  return parts.includes(undefined) ? undefined : !decides;
}

function compared(op: string | undefined, one: unknown, other: unknown): boolean {
  if (op === "=") return same(one, other);
  if (op === "~") return folded(other).split(/\s+/).every((word) => folded(one).includes(word));
  if (typeof one !== typeof other) return false;
  const [left, right] = [one as number, other as number];
  return op === "<" ? left < right : op === "<=" ? left <= right : op === ">" ? left > right : left >= right;
}

function same(one: unknown, other: unknown): boolean {
  return folded(one) === folded(other);
}

function folded(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).normalize("NFKC").toLowerCase();
}
