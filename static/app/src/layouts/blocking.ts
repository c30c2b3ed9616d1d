/** Which issues block which: that is not among what is kept, so that it is asked for of those that a timeline shows. */
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Edge } from "@kbwork/client";
import { isDone } from "../issues/lanes.ts";
import { rows } from "../issues/query.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { type AskedRow, AskedRows } from "./asked_rows.ts";
import { barOf, drawn } from "./bars.ts";

/** One that blocks five hundred others leaves room for the rest. */
const MOST = 200;

interface Held extends AskedRow {
  readonly edges: readonly Edge[];
  /** Up to which event they are known. */
  readonly seq: number;
}

interface End {
  readonly issue: Issue;
  /** Which of the rows it is. */
  readonly at: number;
}

export interface Tie {
  readonly blocker: End;
  readonly blocked: End;
}

const asked = new AskedRows<Held>();

/** By their keys. Rows are other ones whenever an issue is. */
const ends = computed(() => {
  const found = new Map<string, End>();
  rows.value.forEach((row, at) => {
    const issue = "issue" in row ? tables.issue.get(row.issue) : undefined;
    if (issue) found.set(issue.key, { issue, at });
  });
  return found;
});

/** Of these issues and any other one in the rows, while both are open. */
export function tiesOf(ids: readonly number[]): Tie[] {
  const edges = new Map(ids.flatMap((id) => asked.watch(id)?.edges ?? []).map((edge) => [`${edge.from} ${edge.to}`, edge]));
  if (!edges.size) return [];
  const found = [...edges.values()].flatMap(({ from, to }) => {
    const [blocker, blocked] = [ends.value.get(from), ends.value.get(to)];
    return blocker && blocked && holds(blocker.issue, blocked.issue) ? [{ blocker, blocked }] : [];
  });
  return found.slice(0, MOST);
}

/** What was put aside with its project blocks nothing elsewhere. */
function holds(blocker: Issue, blocked: Issue): boolean {
  if (isDone(blocker) || isDone(blocked)) return false;
  return blocker.project === blocked.project || tables.project.get(blocker.project)?.archived_at === null;
}

/** As it is drawn now. */
export function barNow(issue: Issue) {
  return drawn.value?.id === issue.id ? drawn.value : barOf(issue);
}

/** The one starts before the other has to be done. */
export function isEarly({ blocker: { issue: blocker }, blocked: { issue: blocked } }: Tie): boolean {
  const [before, behind] = [barNow(blocker), barNow(blocked)];
  return before !== undefined && behind !== undefined && blocker.due_date !== null && behind.from < before.to;
}

/** Ask for those of these issues as long as they are on the screen, and again when one changes. */
export function useBlocking(ids: ReadonlySignal<readonly number[]>): void {
  asked.use({
    ids,
    isWhole: () => true,
    async ask(some) {
      const { seq } = place;
      const { edges } = await server.issues.graph({ keys: some.map(({ key }) => key), depth: 1, edges_only: true });
      const byKey = new Map<string, Edge[]>(some.map(({ key }) => [key, []]));
      for (const edge of edges) if (edge.blocks) for (const key of [edge.from, edge.to]) byKey.get(key)?.push(edge);
      const fresh = some.map((told) => [told.id, { told, seq, edges: byKey.get(told.key) ?? [] }] as const);
      // One that was asked for earlier, and comes later, is left.
      return fresh.filter(([id]) => (asked.peek(id)?.seq ?? 0) <= seq);
    },
    // One that went meanwhile leaves the timeline, and the others are asked for then.
    refused: () => [],
  });
}
