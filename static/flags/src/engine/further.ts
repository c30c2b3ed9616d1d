/** All operators, with those that read patterns, dates and versions: pages fetch these where a flag asks for one. */
import { instant } from "./dates.ts";
import { isAbove, isBelow, ofOrder, type Operators, PLAIN, texts } from "./operators.ts";
import { foundIn } from "./patterns.ts";
import { version } from "./versions.ts";

export const OPERATORS: Operators = {
  ...PLAIN,
  matches: (values) => {
    const tests = texts(values).map(foundIn).filter((test) => !!test);
    return (value) => typeof value === "string" && tests.some((test) => test(value));
  },
  before: ofOrder(instant, isBelow),
  after: ofOrder(instant, isAbove),
  semVerEqual: (values) => {
    const known = new Set<unknown>(values.map(version));
    return (value) => known.has(version(value) ?? "");
  },
  semVerLessThan: ofOrder(version, isBelow),
  semVerGreaterThan: ofOrder(version, isAbove),
};
