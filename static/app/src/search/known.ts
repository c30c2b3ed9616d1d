/** What was found, as far as it was asked for: the address says for what. */
import { computed, signal } from "@preact/signals";
import { Problem, type SearchHit } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { rankBy } from "../ui/match.ts";
import { say } from "../ui/notes.tsx";
import { go, query, withQuery } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { withoutFilters } from "./asked.ts";

const PAGE = 50;
const MOST_NEAR = 50;

type Facets = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface FoundHits {
  readonly text: string;
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  /** The same as a query over issues, where it can be said as one. */
  readonly tql: string | null;
  /** Why there is nothing, or not what there might be. */
  readonly wrong?: string;
  readonly isAway?: boolean;
}

/** How many there are of each kind and project, whichever of them are chosen. */
interface Counts {
  readonly text: string;
  readonly facets: Facets;
}

export const text = computed(() => query.value.get("q") ?? "");
export const found = signal<FoundHits | undefined>(undefined);
export const counts = signal<Counts | undefined>(undefined);
/** What was looked at last, for who has not begun. */
export const recent = signal<readonly SearchHit[]>([]);
/** The hit that keys act on, by its subject. */
export const cursor = signal<string | undefined>(undefined);

export const hits = computed(() => (text.value.trim() ? (found.value?.hits ?? []) : recent.value));

export const at = computed(() => hits.value.find(({ subject }) => subject === cursor.value));

/** Where the hits come from is asked for once, whatever comes in between. */
let turn = 0;

/** What was found for other words, at a visit before, is none of this. */
export function forgetOthers(): void {
  if (found.peek()?.text !== text.peek()) [found.value, cursor.value] = [undefined, undefined];
}

export function look(next: string): void {
  go(withQuery({ q: next || null, peek: null }), { replace: true });
}

/** Ask for what is looked for, and for how much there is without the filters. */
export async function ask(): Promise<void> {
  const [own, asked] = [++turn, text.peek()];
  if (!asked.trim()) {
    recent.value = await server.search.recent({ limit: 20 }).catch(quietly(recent.peek()));
    return;
  }
  const wide = withoutFilters(asked, ["kind", "in"]);
  try {
    const calls = [server.search.query({ q: asked, limit: PAGE })];
    if (wide !== asked && wide && counts.peek()?.text !== wide) calls.push(server.search.query({ q: wide, limit: 1 }));
    const [answer, whole] = await Promise.all(calls);
    if (own !== turn || !answer) return;
    found.value = { text: asked, hits: answer.items, next: answer.next, tql: answer.tql };
    if (whole) counts.value = { text: wide, facets: whole.facets };
    else if (wide === asked || !wide) counts.value = { text: wide, facets: answer.facets };
  } catch (error) {
    if (own === turn) found.value = refused(asked, error);
  }
  put();
}

/** Where there is no answer, titles that are kept here are looked through. */
function refused(asked: string, error: unknown): FoundHits {
  if (away(error)) return { text: asked, hits: near(asked), next: null, tql: null, isAway: true };
  if (!(error instanceof Problem)) throw error;
  return { text: asked, hits: [], next: null, tql: null, wrong: error.detail || error.title };
}

function near(asked: string): SearchHit[] {
  const words = withoutFilters(asked, ["kind", "in", "is"]);
  return rankBy(words, tables.issue.all(), ({ key, title }) => `${key} ${title}`).slice(0, MOST_NEAR).map((issue) => ({
    subject: `issue:${issue.id}`, kind: "issue", title: issue.title, excerpt: "", path: `/issues/${issue.key}`, project: issue.project, space: null, within: null,
    status: null, score: 0, updated_at: issue.updated_at, why: "title",
  }));
}

/** What stands behind them. Where that does not go, it is said, and can be asked for again. */
export async function more(): Promise<void> {
  const [own, before] = [turn, found.peek()];
  if (!before?.next) return;
  try {
    const { items, next } = await server.search.query({ q: before.text, limit: PAGE, cursor: before.next });
    if (own !== turn) return;
    const known = new Set(before.hits.map(({ subject }) => subject));
    found.value = { ...before, hits: [...before.hits, ...items.filter(({ subject }) => !known.has(subject))], next };
  } catch (error) {
    say(away(error) ? t.noAnswer : (error as Error).message);
  }
}

export function move(step: number): void {
  const all = hits.peek();
  const place = all.findIndex(({ subject }) => subject === cursor.peek());
  const to = all[place < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, place + step))];
  if (to) cursor.value = to.subject;
}

/** What is not there any more is not acted on. */
function put(): void {
  if (cursor.peek() !== undefined && !at.peek()) cursor.value = undefined;
}

function quietly<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (!away(error) && !(error instanceof Problem)) throw error;
    return otherwise;
  };
}
