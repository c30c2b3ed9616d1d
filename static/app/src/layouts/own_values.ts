/** What own fields hold of the issues that a table shows: that is not among what is kept, so that it is asked for. */
import type { ReadonlySignal } from "@preact/signals";
import { type OwnValues, pathOf } from "../issues/own.tsx";
import type { Issue, OwnField } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { server } from "../store/server.ts";
import { type AskedRow, AskedRows } from "./asked_rows.ts";

interface Held extends AskedRow {
  readonly values: OwnValues;
  /** Up to which event of the issue they are known. */
  readonly seq: number;
}

const asked = new AskedRows<Held>();

export function valueOf(issue: Issue, { key }: OwnField): unknown {
  const path = pathOf(key);
  return (path in issue ? issue[path] : asked.watch(issue.id)?.values[key]) ?? null;
}

/** Undefined: it is still to come. */
export function heldOf(id: number): Held | undefined {
  return asked.watch(id);
}

/** What somebody set is known already. */
export function showValue(id: number, key: string, value: unknown): void {
  const found = asked.peek(id);
  if (found) asked.put([[id, { ...found, values: { ...found.values, [key]: value } }]]);
}

/** Ask for those of these issues as long as they are on the screen, and again when one changes. */
export function useOwnValues(ids: ReadonlySignal<readonly number[]>): void {
  asked.use({
    ids,
    isWhole: () => true,
    async ask(some) {
      const { seq } = place;
      const found = await server.batch(some.map(({ key }) => ["issues.get", { key }] as const));
      // One that was asked for earlier, and comes later, is left.
      const fresh = found.map(({ id, values }, index) => [id, { values, seq, told: some[index] }] as const);
      return fresh.filter(([id]) => (asked.peek(id)?.seq ?? 0) <= seq);
    },
    // One that went meanwhile leaves the table, and the others are asked for then.
    refused: () => [],
  });
}
