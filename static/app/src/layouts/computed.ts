/** What a query computes of the issues that a table shows, such as `now() - created`: the server tells it. */
import { type ReadonlySignal, signal, useComputed } from "@preact/signals";
import type { TqlColumn } from "@kbwork/client";
import { nameOf } from "../issues/marks.tsx";
import type { Issue } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { day, duration, exactly, precisely, t } from "../ui/texts.ts";
import { type AskedRow, AskedRows, MOST_ASKED } from "./asked_rows.ts";
import { words } from "./texts.ts";

const NONE: readonly number[] = [];

interface Held extends AskedRow {
  /** By what the query calls them. */
  readonly cells: Readonly<Record<string, unknown>>;
}

const asked = new AskedRows<Held>();
/** What is told of each: what it is called, and of which kind its cells are. */
const heads = signal<ReadonlyMap<string, TqlColumn>>(new Map());

export function titleOf(name: string): string {
  return heads.value.get(name)?.title ?? name;
}

export function hasDigits(name: string): boolean {
  const kind = heads.value.get(name)?.kind;
  return kind === "number" || kind === "duration";
}

export function textOf(issue: Issue, name: string): string {
  const value = asked.watch(issue.id)?.cells[name];
  return [value].flat().map((one) => say(one, heads.value.get(name)?.kind)).filter(Boolean).join(", ");
}

function say(value: unknown, kind: string | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") return kind === "time" ? exactly(value) : kind === "duration" ? span(value) : precisely(Math.round(value * 1000) / 1000);
  if (typeof value !== "string") return JSON.stringify(value);
  return kind === "person" ? (nameOf(value) ?? value) : kind === "day" ? day(value) : value;
}

const DAY_S = 86_400;

/** Of what takes days nobody wants to know the seconds. */
function span(seconds: number): string {
  const size = Math.abs(seconds);
  const said = size < DAY_S ? duration(Math.round(size)) : words.days(Math.round(size / DAY_S));
  return seconds < 0 ? `−${said}` : said;
}

/** Ask for those of these issues as long as they are on the screen, and again when one changes. */
export function useComputedCells(ids: ReadonlySignal<readonly number[]>, names: ReadonlySignal<readonly string[]>): void {
  const wanted = useComputed(() => (names.value.length ? ids.value : NONE));
  asked.use({
    ids: wanted,
    isWhole: ({ cells }) => names.value.every((name) => name in cells),
    async ask(some) {
      const now = names.peek();
      const { columns, rows } = await server.tql.run({ tql: `key in (${some.map(({ key }) => key).join(", ")})`, fields: ["key", ...now], limit: MOST_ASKED });
      heads.value = new Map([...heads.peek(), ...now.map((name, place) => [name, columns[place + 1]!] as const)]);
      const byKey = new Map(rows.map(([key, ...cells]) => [key, cells]));
      return some.map((told) => [told.id, { told, cells: Object.fromEntries(now.map((name, place) => [name, byKey.get(told.key)?.[place] ?? null])) }]);
    },
    // What cannot be computed is empty.
    refused: (some) => some.map((told) => [told.id, { told, cells: Object.fromEntries(names.peek().map((name) => [name, null])) }]),
  });
}
