/** What an evaluation answers: the value, the variation it came from, and why. Its types are those that are handed out. */
import type { Detail, ErrorKind, Wanted } from "../../types/engine.d.ts";

export type { Detail, ErrorKind, Reason, Wanted } from "../../types/engine.d.ts";

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
