/** Conditions of transitions, in words. */
import { s } from "../texts.ts";

const w = s.conditions;

export function inWords(condition: unknown): string {
  if (typeof condition !== "object" || condition === null) return String(condition);
  const { all, any, field, op, value, role, tql, message } = condition as Readonly<Record<string, unknown>>;
  const said = message ? ` (“${String(message)}”)` : "";
  if (Array.isArray(all)) return all.map(inWords).join(w.and) + said;
  if (Array.isArray(any)) return any.map(inWords).join(w.or) + said;
  if (role !== undefined) return w.role(valueIn(role)) + said;
  if (tql !== undefined) return w.query(String(tql)) + said;
  if (field !== undefined) {
    const ops = w.ops as Readonly<Record<string, string>>;
    return [String(field), ops[String(op)] ?? String(op), value === undefined ? "" : valueIn(value)].filter(Boolean).join(" ") + said;
  }
  return JSON.stringify(condition);
}

function valueIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueIn).join(", ");
  return typeof value === "string" ? `“${value}”` : JSON.stringify(value);
}
