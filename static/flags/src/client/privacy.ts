/** Contexts as they may leave a client: without what is private, which is named instead. */
import { isName, type Path, path } from "../engine/references.ts";
import { clean, isObject, type Loose } from "../engine/values.ts";

type Part = Record<string, unknown>;

/** The attributes that these names and paths mean, and the names that mean none. */
export function privatePaths(names: readonly unknown[]): [paths: Path[], malformed: unknown[]] {
  const [paths, malformed]: [Path[], unknown[]] = [[], []];
  for (const name of names) {
    const at = path(name);
    if (at === undefined) malformed.push(name);
    // Without its key and kind an event would be about nobody.
    else if (!isName(at, "key") && !isName(at, "kind")) paths.push(at);
  }
  return [paths, malformed];
}

/**
 * A copy of a valid context without `_meta` and what is private, by these paths or by its own `_meta.privateAttributes`. What was
 * removed is listed, sorted, in `_meta.redacted`; in a context of several kinds each part for itself.
 */
export function redacted(context: Loose, paths: readonly Path[]): Loose {
  const copied = clean(context) as Part;
  if (copied["kind"] !== "multi") return redactedPart(copied, paths);
  for (const [name, part] of Object.entries(copied)) {
    if (isObject(part)) copied[name] = redactedPart(part as Part, paths);
  }
  return copied;
}

function redactedPart(part: Part, paths: readonly Path[]): Part {
  const meta = part["_meta"];
  delete part["_meta"];
  const own = isObject(meta) ? meta["privateAttributes"] : undefined;
  const all = [...paths, ...privatePaths(Array.isArray(own) ? own : [])[0]];
  const gone = all.filter((at) => isRemoved(part, at)).map(written).sort();
  if (gone.length) part["_meta"] = { redacted: gone };
  return part;
}

/** Take away what lies there; false where nothing does. What was around it stays, empty too. */
function isRemoved(part: Part, at: Path): boolean {
  let holder: unknown = part;
  for (const name of at.slice(0, -1)) holder = isObject(holder) ? holder[name] : undefined;
  const last = at.at(-1)!;
  return isObject(holder) && Object.hasOwn(holder, last) && delete (holder as Part)[last];
}

/** A reference as it is written: a name, or a path. */
function written(at: Path): string {
  if (at.length === 1 && !at[0]!.startsWith("/")) return at[0]!;
  return at.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
