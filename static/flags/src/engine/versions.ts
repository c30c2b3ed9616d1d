/** Semantic versions, with missing parts read as 0. */

const NUMBER = "(?:0|[1-9]\\d*)";
const PRE = `(?:${NUMBER}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const TEXT = new RegExp(`^(${NUMBER})(?:\\.(${NUMBER})(?:\\.(${NUMBER}))?)?(?:-(${PRE}(?:\\.${PRE})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`);
const DIGITS = /^\d+$/;

/** `pre`: its parts; undefined: it is no version before another. */
export interface Version {
  readonly numbers: readonly string[];
  readonly pre: readonly string[] | undefined;
}

export function version(value: unknown): Version | undefined {
  const found = typeof value === "string" ? TEXT.exec(value) : null;
  if (found === null) return undefined;
  return { numbers: [found[1]!, found[2] ?? "0", found[3] ?? "0"], pre: found[4]?.split(".") };
}

/** Below, at or above 0 as the first is lower, equal or higher. */
export function compareVersions(one: Version, other: Version): number {
  for (let place = 0; place < 3; place++) {
    const order = compareDigits(one.numbers[place]!, other.numbers[place]!);
    if (order !== 0) return order;
  }
  if (one.pre === undefined || other.pre === undefined) return Number(one.pre === undefined) - Number(other.pre === undefined);
  for (let place = 0; place < Math.min(one.pre.length, other.pre.length); place++) {
    const order = compareParts(one.pre[place]!, other.pre[place]!);
    if (order !== 0) return order;
  }
  return one.pre.length - other.pre.length;
}

function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [DIGITS.test(one), DIGITS.test(other)];
  if (isNumber && isOtherNumber) return compareDigits(one, other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return compareTexts(one, other);
}

/** Without leading zeros the longer is the larger: a number may be larger than any double. */
function compareDigits(one: string, other: string): number {
  return one.length - other.length || compareTexts(one, other);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
