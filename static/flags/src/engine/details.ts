/** What an evaluation answers: the value, the variation it came from, and why. */

export type Reason = "DISABLED" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "PREREQUISITE_FAILED" | "ERROR";
export type ErrorKind = "FLAG_NOT_FOUND" | "INVALID_CONTEXT" | "MALFORMED_FLAG" | "WRONG_TYPE" | "CLIENT_NOT_READY" | "EXCEPTION";
/** The type that a call asks for; `any` takes every JSON type. */
export type Wanted = "boolean" | "string" | "number" | "any";

/** `variation` is null where the caller's default is served; then `value` is that default. */
export interface Detail {
  readonly value: unknown;
  readonly variation: number | null;
  readonly reason: Reason;
  /** Place of the rule that decided, the first is 0. */
  readonly ruleIndex?: number;
  readonly ruleId?: string;
  /** The prerequisite that failed. */
  readonly prerequisiteKey?: string;
  /** What went wrong where `reason` is `ERROR`. */
  readonly errorKind?: ErrorKind;
}

export const failed = (errorKind: ErrorKind): Detail => ({ value: null, variation: null, reason: "ERROR", errorKind });

export const NOT_FOUND = failed("FLAG_NOT_FOUND");
export const BAD_CONTEXT = failed("INVALID_CONTEXT");
export const MALFORMED = failed("MALFORMED_FLAG");
export const WRONG_TYPE = failed("WRONG_TYPE");

/** What was decided, as it is answered to a call with a default and a type. */
export function finished(detail: Detail, fallback: unknown, wanted: Wanted): Detail {
  if (detail.variation === null) return { ...detail, value: fallback };
  return wanted === "any" || typeof detail.value === wanted ? detail : { ...WRONG_TYPE, value: fallback };
}
