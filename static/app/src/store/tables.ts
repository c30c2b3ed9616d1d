/** Everything that is kept, by kind, and how rows of the server become things. */
import { batch } from "@preact/signals";
import type { SyncDelta, SyncPart } from "@kbwork/client";
import type { Id, Kind, Kinds } from "./kinds.ts";
import { byPressure } from "./pressure.ts";
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
  sprint: new Table(),
  view: new Table(),
  field: new Table(),
  team: new Table(),
};

export const KINDS = Object.keys(tables) as Kind[];

/** The rows of a kind, as they are kept on disk and come in deltas. */
export interface Rows {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export const isKept = (kind: string): kind is Kind => kind in tables;

/** Things of one kind, whichever it is, by their ids. */
export type Things = ReadonlyMap<Id, never>;

export function ofRows({ columns, rows }: Rows): Things {
  return made(columns, rows.length, (row, column) => rows[row]![column]);
}

/** Those of a part of a snapshot, whose columns stand side by side. */
export function ofColumns({ columns, values }: SyncPart): Things {
  return made(columns, values[0]?.length ?? 0, (row, column) => values[column]![row]);
}

function made(columns: readonly string[], count: number, valueAt: (row: number, column: number) => unknown): Things {
  const found = new Map<Id, never>();
  // All are of one shape from the start: one that grows column by column takes twice as long.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));
  for (let row = 0; row < count; row++) {
    const thing = { ...blank };
    for (let column = 0; column < columns.length; column++) thing[columns[column]!] = valueAt(row, column);
    found.set(valueAt(row, 0) as Id, thing as never);
  }
  return found;
}

/** Put things in; `whole`: these are all of their kind. */
export function put(kind: string, things: Things, whole: boolean): void {
  if (!isKept(kind)) return;
  if (whole) tables[kind].replace(things);
  else tables[kind].put(things);
}

export function apply(delta: Pick<SyncDelta, "upserts" | "gone">): void {
  batch(() => {
    for (const told of delta.upserts) put(told.kind, ofRows(told), told.whole);
    for (const { kind, ids } of delta.gone) if (isKept(kind)) tables[kind].drop(ids as Id[]);
  });
}

export function clear(): void {
  batch(() => {
    for (const kind of KINDS) tables[kind].replace(new Map());
  });
}

/** Everything that the server told, to be kept on disk: issues in their usual order, in which they need no sorting later. */
export function dump(): Rows[] {
  return KINDS.map((kind) => {
    const told = kind === "issue" ? [...tables.issue.told()].sort(byPressure) : [...tables[kind].told()];
    return { kind, columns: Object.keys(told[0] ?? {}), rows: told.map((thing) => Object.values(thing)) };
  });
}
