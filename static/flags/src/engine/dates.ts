/** Instants: Unix milliseconds, or RFC 3339 text, by integer arithmetic so that every language agrees. */

const TEXT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Milliseconds since 1970; undefined where it is no date. */
export function instant(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const found = typeof value === "string" ? TEXT.exec(value) : null;
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const [hours, minutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > lengthOf(year, month)) return undefined;
  if (Math.max(hour, hours) > 23 || Math.max(minute, second, minutes) > 59) return undefined;
  const offset = (hours * 60 + minutes) * (found[8] === "-" ? -1 : 1);
  const at = (daysOf(year, month, day) * 24 + hour) * 60 + minute - offset;
  return (at * 60 + second) * 1000 + Number((found[7] ?? "0").slice(0, 3).padEnd(3, "0"));
}

function lengthOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : LENGTHS[month - 1]!;
}

/**
 * Days since 1970-01-01 in the Gregorian calendar, which is taken to have held always. The year is counted from March,
 * so that the leap day is its last one, in eras of 400 years.
 */
function daysOf(year: number, month: number, day: number): number {
  const counted = month <= 2 ? year - 1 : year;
  const era = Math.floor(counted / 400);
  const ofEra = counted - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}
