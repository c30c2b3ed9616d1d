/** Everything that is kept, by kind, and how rows of the server become things. */
import { batch } from "@preact/signals";
import type { SyncDelta, SyncPart } from "@kbwork/client";
import type { Id, Kind, Kinds } from "./kinds.ts";
import { Table } from "./table.ts";

export type Tables = { readonly [K in Kind]: Table<Kinds[K]> };

export const tables: Tables = {
  issue: new Table(),
  lane: new Table(),
  type: new Table(),
  workflow: new Table(),
  project: new Table(),
  member: new Table(),
  label: new Table(),
  component: new Table(),
  view: new Table(),
};

export const KINDS = Object.keys(tables) as Kind[];

/** The rows of a kind, as they are kept on disk and come in deltas. */
export interface Rows {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export const isKept = (kind: string): kind is Kind => kind in tables;

function things({ columns, rows }: Rows): Map<Id, never> {
  const found = new Map<Id, never>();
  for (const row of rows) {
    const thing: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at++) thing[columns[at]!] = row[at];
    found.set(row[0] as Id, thing as never);
  }
  return found;
}

/** Put rows in; `whole`: these are all of their kind. */
export function put(told: Rows, whole: boolean): void {
  if (!isKept(told.kind)) return;
  const found = things(told);
  if (whole) tables[told.kind].replace(found);
  else tables[told.kind].put(found);
}

/** A part of a snapshot, its columns turned into rows. */
export function rowsOf(part: SyncPart): Rows {
  const [first] = part.values;
  const rows = (first ?? []).map((_, at) => part.values.map((column) => column[at]));
  return { kind: part.kind, columns: part.columns, rows };
}

export function apply(delta: Pick<SyncDelta, "upserts" | "gone">): void {
  batch(() => {
    for (const told of delta.upserts) put(told, told.whole);
    for (const { kind, ids } of delta.gone) if (isKept(kind)) tables[kind].drop(ids as Id[]);
  });
}

export function clear(): void {
  batch(() => {
    for (const kind of KINDS) tables[kind].replace(new Map());
  });
}

/** Everything that the server told, to be kept on disk. */
export function dump(): Rows[] {
  return KINDS.map((kind) => {
    const told = [...tables[kind].told()];
    return { kind, columns: Object.keys(told[0] ?? {}), rows: told.map((thing) => Object.values(thing)) };
  });
}
