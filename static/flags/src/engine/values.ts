/** JSON as the engine reads it, the same in every language: numbers are doubles, text is whole code points. */

export type Scalar = string | number | boolean;
export type Json = Scalar | null | readonly Json[] | { readonly [name: string]: Json };
/** An object of which nothing is known. */
export type Loose = Readonly<Record<string, unknown>>;

export const REPLACED = "\ufffd";
const LONE = /[\ud800-\udfff]/gu;
/**
 * Only where one of these stands may there be anything to clean: half a character, or a number beyond all doubles. What
 * stands before the number tells it from text: salts have digits, too.
 */
const ODD = /\\ud|[\ud800-\udfff]|(^|[:,[\s])-?(\d{309}|[\d.]+e)/iu;

/** JSON text; what is infinite reads as null. Throws SyntaxError. */
export function parsed(text: string): unknown {
  const found: unknown = JSON.parse(text);
  return ODD.test(text) ? clean(found) : found;
}

/** Data from anywhere as JSON has it. A lone half of a surrogate pair becomes U+FFFD; what JSON cannot say is null. */
export function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return scalar(value) ?? null;
  const found: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) found[whole(name)] = clean(value[name]);
  return found;
}

/** Text in which each lone half of a surrogate pair is U+FFFD, so that it can be encoded; browsers of 2022 are slower. */
export const whole: (text: string) => string =
  "toWellFormed" in String.prototype ? (text) => text.toWellFormed() : (text) => text.replace(LONE, "\ufffd");

/** As it is compared; undefined for all that is no text, number or boolean. */
export function scalar(value: unknown): Scalar | undefined {
  switch (typeof value) {
    case "string":
      return whole(value);
    case "boolean":
      return value;
    case "bigint":
      return scalar(Number(value));
    case "number":
      return Number.isFinite(value) ? value : undefined;
    default:
      return undefined;
  }
}

export function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of flags or segments, which may be a function that reads it. */
export function read(holder: Loose, name: string): unknown {
  const found = own(holder, name);
  return typeof found === "function" ? (found() ?? undefined) : found;
}

/** A member of an object's own; undefined where there is none, or null. */
export function own(holder: unknown, name: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, name) ? (holder[name] ?? undefined) : undefined;
}
