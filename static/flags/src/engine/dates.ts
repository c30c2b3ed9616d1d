/** Instants: Unix milliseconds, or RFC 3339 text. */

const TEXT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Milliseconds since 1970; undefined where it is no date. */
export function instant(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const found = typeof value === "string" ? TEXT.exec(value) : null;
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const [hours, minutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  const date = new Date(0);
  const midnight = date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined; // as February 30, which goes on
  if (Math.max(hour, hours) > 23 || Math.max(minute, second, minutes) > 59) return undefined;
  const offset = (hours * 60 + minutes) * (found[8] === "-" ? -1 : 1);
  return midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + Number((found[7] ?? "0").slice(0, 3).padEnd(3, "0"));
}
