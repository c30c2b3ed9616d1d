/** What a query computes of the issues that a table shows, such as `now() - created`: the server tells it. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem, type TqlColumn } from "@kbwork/client";
import { nameOf } from "../issues/marks.tsx";
import type { Issue } from "../store/kinds.ts";
import { resets } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { day, duration, exactly, precisely, t } from "../ui/texts.ts";
import { words } from "./texts.ts";

/** As many as one question names. */
const MOST = 50;
const MOST_KEPT = 2_000;
/** Who scrolls on does not wait for what they left. */
const CALM_MS = 60;

interface Held {
  /** What the server had told of the issue by then: it tells it anew with each change. */
  readonly told: Issue | undefined;
  /** By what the query calls them. */
  readonly cells: Readonly<Record<string, unknown>>;
}

const held = signal<ReadonlyMap<number, Held>>(new Map());
/** What is told of each: what it is called, and of which kind its cells are. */
const heads = signal<ReadonlyMap<string, TqlColumn>>(new Map());
let era = resets.peek();

export function titleOf(name: string): string {
  return heads.value.get(name)?.title ?? name;
}

export function hasDigits(name: string): boolean {
  const kind = heads.value.get(name)?.kind;
  return kind === "number" || kind === "duration";
}

export function textOf(issue: Issue, name: string): string {
  const value = held.value.get(issue.id)?.cells[name];
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
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      void tables.issue.moved.value;
      void offlineSince.value;
      if (era !== resets.value) {
        era = resets.value;
        held.value = new Map();
      }
      const wanted = names.value;
      const missing = wanted.length === 0 ? [] : ids.value.filter((id) => {
        const told = tables.issue.toldOf(id);
        const found = held.peek().get(id);
        return told !== undefined && (found?.told !== told || wanted.some((name) => !(name in found.cells)));
      });
      clearTimeout(timer);
      if (missing.length) timer = setTimeout(() => void ask(missing, wanted), CALM_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [ids, names]);
}

async function ask(ids: readonly number[], names: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST) {
    const some = ids.slice(at, at + MOST).flatMap((id) => tables.issue.toldOf(id) ?? []);
    const none = Object.fromEntries(names.map((name) => [name, null]));
    try {
      const { columns, rows } = await server.tql.run({ tql: `key in (${some.map(({ key }) => key).join(", ")})`, fields: ["key", ...names], limit: MOST });
      heads.value = new Map([...heads.peek(), ...names.map((name, place) => [name, columns[place + 1]!] as const)]);
      const byKey = new Map(rows.map(([key, ...cells]) => [key, cells]));
      put(some.map((told) => [told.id, { told, cells: Object.fromEntries(names.map((name, place) => [name, byKey.get(told.key)?.[place] ?? null])) }]));
    } catch (error) {
      // Without a network they are asked for when there is one; what cannot be computed is empty.
      if (away(error)) return;
      if (!(error instanceof Problem)) throw error;
      put(some.map((told) => [told.id, { told, cells: none }]));
    }
  }
}

function put(more: readonly (readonly [number, Held])[]): void {
  const next = new Map(held.peek());
  for (const [id, one] of more) {
    next.delete(id);
    next.set(id, one);
  }
  for (const id of next.keys()) {
    if (next.size <= MOST_KEPT) break;
    next.delete(id);
  }
  held.value = next;
}
