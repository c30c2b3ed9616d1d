/** References to attributes: a name, or a path such as `/address/city`. */

export type Path = readonly string[];

const BROKEN = /~(?![01])/;

/** The names along the way; undefined where the reference is malformed. */
export function path(reference: unknown): Path | undefined {
  if (typeof reference !== "string" || reference === "" || reference === "/") return undefined;
  if (!reference.startsWith("/")) return [reference];
  const parts = reference.slice(1).split("/");
  if (parts.includes("") || BROKEN.test(reference)) return undefined;
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether it is this one name and no more. */
export function isName(at: Path, name: string): boolean {
  return at.length === 1 && at[0] === name;
}
