/** The operators of clauses. Each becomes a test of one value of the context; any of the clause's values may hit. */
import { own, REPLACED, type Scalar, scalar } from "./values.ts";

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
export function testOf(operators: Operators, op: unknown, values: readonly unknown[]): Test | undefined {
  const make = typeof op === "string" && (own(operators, op) as Make | undefined);
  if (!make) return undefined;
  const test = make(values);
  const isOdd = op === "matches" || texts(values).some((text) => text.includes(REPLACED));
  return isOdd ? (value) => test(scalar(value)!) : test;
}

export function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

export type Operators = Readonly<Record<string, Make>>;
type Make = (values: readonly unknown[]) => Test;

export const isBelow = (one: string | number, other: string | number): boolean => one < other;
export const isAbove = (one: string | number, other: string | number): boolean => one > other;
const figure = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Those that most flags make do with; the others are in further.ts. */
export const PLAIN: Operators = {
  in: (values) => {
    const known = new Set<unknown>(values);
    return (value) => known.has(value);
  },
  startsWith: ofText((head, value) => value.startsWith(head)),
  endsWith: ofText((tail, value) => value.endsWith(tail)),
  contains: ofText((part, value) => value.includes(part)),
  lessThan: ofOrder(figure, isBelow),
  lessThanOrEqual: ofOrder(figure, (one, other) => one <= other),
  greaterThan: ofOrder(figure, isAbove),
  greaterThanOrEqual: ofOrder(figure, (one, other) => one >= other),
};

function ofText(holds: (part: string, value: string) => boolean): Make {
  return (values) => {
    const parts = texts(values);
    return (value) => typeof value === "string" && parts.some((part) => holds(part, value));
  };
}

/** Any value may hit, so that the bound which all others hold against decides. */
export function ofOrder<T extends string | number>(read: (value: unknown) => T | undefined, holds: (one: T, other: T) => boolean): Make {
  return (values) => {
    let bound: T | undefined;
    for (const value of values) {
      const found = read(value);
      if (found !== undefined && (bound === undefined || holds(bound, found))) bound = found;
    }
    return (value) => {
      const found = read(value);
      return found !== undefined && bound !== undefined && holds(found, bound);
    };
  };
}
