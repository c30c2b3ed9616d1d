/** The operators of clauses. Each becomes a test of one value of the context; any of the clause's values may hit. */
import { instant } from "./dates.ts";
import { foundIn } from "./patterns.ts";
import { type Scalar, scalar } from "./values.ts";
import { compareVersions, version } from "./versions.ts";

export type Test = (value: Scalar) => boolean;

export const SEGMENT_MATCH = "segmentMatch";

/** Whether a value, or any element of an array, satisfies the test. Objects and null satisfy nothing. */
export function hits(test: Test, value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => {
      const found = scalar(item);
      return found !== undefined && test(found);
    });
  }
  return typeof value !== "object" && test(value as Scalar);
}

/** The test of an operator over the values of its clause; undefined for an operator that is not known. */
export function testOf(op: unknown, values: readonly unknown[]): Test | undefined {
  return typeof op === "string" && Object.hasOwn(OPERATORS, op) ? OPERATORS[op]!(values) : undefined;
}

export function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

type Make = (values: readonly unknown[]) => Test;

const compare = (one: number, other: number): number => one - other;
const figure = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const OPERATORS: Readonly<Record<string, Make>> = {
  in: (values) => {
    const known = new Set<unknown>(values);
    return (value) => known.has(value);
  },
  startsWith: ofText((head, value) => value.startsWith(head)),
  endsWith: ofText((tail, value) => value.endsWith(tail)),
  contains: ofText((part, value) => value.includes(part)),
  matches: (values) => {
    const tests = texts(values).map(foundIn).filter((test) => test !== undefined);
    return (value) => typeof value === "string" && tests.some((test) => test(value));
  },
  lessThan: ofOrder(figure, compare, 1, (order) => order < 0),
  lessThanOrEqual: ofOrder(figure, compare, 1, (order) => order <= 0),
  greaterThan: ofOrder(figure, compare, -1, (order) => order > 0),
  greaterThanOrEqual: ofOrder(figure, compare, -1, (order) => order >= 0),
  before: ofOrder(instant, compare, 1, (order) => order < 0),
  after: ofOrder(instant, compare, -1, (order) => order > 0),
  semVerEqual: (values) => {
    const wanted = values.map(version).filter((one) => one !== undefined);
    return (value) => {
      const found = version(value);
      return found !== undefined && wanted.some((one) => compareVersions(found, one) === 0);
    };
  },
  semVerLessThan: ofOrder(version, compareVersions, 1, (order) => order < 0),
  semVerGreaterThan: ofOrder(version, compareVersions, -1, (order) => order > 0),
};

function ofText(holds: (part: string, value: string) => boolean): Make {
  return (values) => {
    const parts = texts(values);
    return (value) => typeof value === "string" && parts.some((part) => holds(part, value));
  };
}

/** Any value may hit, so that the largest bound (`keep` 1) decides for less, the smallest (-1) for greater. */
function ofOrder<T>(read: (value: unknown) => T | undefined, order: (one: T, other: T) => number, keep: 1 | -1, holds: (order: number) => boolean): Make {
  return (values) => {
    let bound: T | undefined;
    for (const value of values) {
      const found = read(value);
      if (found !== undefined && (bound === undefined || order(found, bound) * keep > 0)) bound = found;
    }
    return (value) => {
      const found = read(value);
      return found !== undefined && bound !== undefined && holds(order(found, bound));
    };
  };
}
