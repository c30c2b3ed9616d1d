/** What a rule says as texts of a form, and back. */
import type { AutomationRule, AutomationSave, RuleAction } from "@kbwork/client";
import { type Input, type Operation, valueOf } from "../../palette/operations.ts";
import type { Value } from "../parts/field.tsx";
import { Unreadable, type Values } from "../parts/form.tsx";
import { w } from "./texts.ts";

/** An operation as it is written: each input as a text. */
export interface Step {
  readonly op: string;
  readonly said: Readonly<Record<string, string>>;
  readonly each: string;
  readonly apply: boolean;
  readonly on_error: "stop" | "go_on";
  readonly delay: string;
}

export type ConditionKind = "tql" | "field" | "role" | "other";

/** A condition as it is written. */
export interface Term {
  readonly kind: ConditionKind;
  readonly field: string;
  readonly op: string;
  /** What it is compared with, the query, the role, or JSON. */
  readonly text: string;
}

/** Comparisons with nothing behind them. */
export const WITHOUT_VALUE: readonly string[] = ["empty", "not_empty", "changed"];
const TRIGGER = ["kind", "event", "tql", "every", "zone", "label", "minutes"] as const;
const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  event: ["event", "tql"],
  schedule: ["every", "zone", "tql"],
  button: ["label", "tql"],
  hook: ["tql"],
  state: ["tql", "minutes"],
};

export const FIRST_STEP: Step = { op: "", said: {}, each: "", apply: false, on_error: "stop", delay: "" };
export const FIRST_TERM: Term = { kind: "tql", field: "", op: "=", text: "" };

export function valuesOf(rule: AutomationRule | undefined): Values {
  const { trigger } = rule ?? {};
  return {
    name: rule?.name ?? "",
    kind: trigger?.kind ?? "event",
    event: trigger?.event ?? "",
    tql: trigger?.tql ?? "",
    every: trigger?.every ?? "",
    zone: trigger?.zone ?? "",
    label: trigger?.label ?? "",
    minutes: trigger?.minutes ?? null,
    conditions: JSON.stringify((rule?.conditions ?? []).map(termOf)),
    actions: JSON.stringify((rule?.actions ?? []).map(stepOf)),
    enabled: rule?.enabled ?? true,
  };
}

export function stepOf(action: { op: string; input?: unknown; each?: string | null; apply?: boolean; on_error?: "stop" | "go_on"; delay_minutes?: number }): Step {
  const said = Object.fromEntries(Object.entries((action.input ?? {}) as Record<string, unknown>).map(([name, value]) => [name, textOf(value)]));
  return { op: action.op, said, each: action.each ?? "", apply: action.apply ?? false, on_error: action.on_error ?? "stop", delay: action.delay_minutes ? String(action.delay_minutes) : "" };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const isPlain = Array.isArray(value) && value.every((one) => typeof one === "string" && !/[\n,]|^\[/.test(one));
  return isPlain ? (value as string[]).join("\n") : JSON.stringify(value);
}

function termOf(condition: Record<string, unknown>): Term {
  const { tql, role, field, op, value } = condition;
  if (typeof tql === "string") return { ...FIRST_TERM, text: tql };
  if (typeof role === "string") return { ...FIRST_TERM, kind: "role", text: role };
  if (typeof field === "string") return { kind: "field", field, op: String(op), text: value === undefined ? "" : textOf(value) };
  return { ...FIRST_TERM, kind: "other", text: JSON.stringify(condition) };
}

export const stepsIn = (value: Value): readonly Step[] => JSON.parse(String(value || "[]")) as Step[];
export const termsIn = (value: Value): readonly Term[] => JSON.parse(String(value || "[]")) as Term[];

/** What of it was changed, as the server takes it. Throws Unreadable. */
export function inputOf(changes: Values, all: Values, operations: readonly Operation[], isNew: boolean): Omit<AutomationSave, "id"> {
  const isChanged = (name: string): boolean => isNew || name in changes;
  return {
    name: String(all["name"]),
    ...(isChanged("enabled") && { enabled: all["enabled"] === true }),
    ...(TRIGGER.some(isChanged) && { trigger: triggerOf(all) }),
    ...(isChanged("conditions") && { conditions: termsIn(all["conditions"]).map(conditionOf) }),
    ...(isChanged("actions") && { actions: stepsIn(all["actions"]).map((step, at) => actionOf(step, at, operations)) }),
  };
}

function triggerOf(all: Values): NonNullable<AutomationSave["trigger"]> {
  const kind = String(all["kind"]);
  const said = (OF_KIND[kind] ?? []).filter((name) => all[name] !== "" && all[name] !== null);
  return { kind, ...Object.fromEntries(said.map((name) => [name, all[name]])) } as NonNullable<AutomationSave["trigger"]>;
}

function conditionOf({ kind, field, op, text }: Term, at: number): Record<string, unknown> {
  if (kind === "tql") return { tql: text };
  if (kind === "role") return { role: text };
  if (kind === "other") return read(text, `conditions[${at}]`) as Record<string, unknown>;
  if (WITHOUT_VALUE.includes(op)) return { field, op };
  return { field, op, value: op === "in" ? parts(text).map(scalar) : op === "~" ? text : scalar(text) };
}

function actionOf({ op, said, each, apply, on_error, delay }: Step, at: number, operations: readonly Operation[]): RuleAction {
  if (!op) throw new Unreadable(`actions[${at}].op`, w.noOperation);
  const inputs = operations.find((one) => one.id === op)?.inputs ?? [];
  const given = Object.entries(said).flatMap(([name, text]) => {
    const input = inputs.find((one) => one.name === name);
    const value = text === "" ? undefined : input ? given_(input, text, `actions[${at}].input.${name}`) : text;
    return value === undefined ? [] : [[name, value]];
  });
  return {
    op,
    input: Object.fromEntries(given) as Record<string, unknown>,
    on_error,
    ...(each.trim() && { each }),
    ...(apply && { apply }),
    ...(delay && { delay_minutes: Number(delay) }),
  };
}

/** A placeholder stands for whatever it becomes. */
function given_(input: Input, text: string, path: string): unknown {
  if (input.kind === "list" && text.trimStart().startsWith("[")) return read(text, path);
  if (input.kind !== "json") return valueOf(input, text);
  const isWritten = /^\s*["[{]/.test(text) && !/^\s*\{\{[^{}]*\}\}\s*$/.test(text);
  return isWritten ? read(text, path) : scalar(text);
}

function read(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unreadable(path, w.noJson);
  }
}

function parts(text: string): string[] {
  return text.split(/[\n,]/).map((one) => one.trim()).filter(Boolean);
}

/** A number where it is one. */
function scalar(text: string): string | number {
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}
