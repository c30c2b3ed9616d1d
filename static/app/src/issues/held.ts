/**
 * What others bring into a list while somebody is in it: it waits until they ask for it, and moves nothing under their
 * pointer. What is of their own doing comes at once, and so does all of it where nobody scrolled or went to a row yet.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { unsent } from "../store/changes.ts";
import { nowMs } from "../store/clock.ts";
import type { Issue } from "../store/kinds.ts";
import { ownWrites } from "../store/server.ts";
import { myId } from "../store/session.ts";

/** Somebody scrolled the list, or went to a row of it. */
export const touched = signal(false);

/** So long a new issue of one's own may be on its way here from another program of theirs. */
const OWN_S = 60;
const asks = signal(0);

/** Have all that waits. */
export function bringIn(): void {
  asks.value++;
}

/** Those that wait, of all that a list is to show. `asked`: which list it is; another one waits for nothing. */
export function heldOf(issues: ReadonlySignal<readonly Issue[]>, asked: ReadonlySignal<string>): ReadonlySignal<ReadonlySet<number>> {
  let before = "";
  let all: readonly Issue[] = [];
  let held: ReadonlySet<number> = new Set();
  return computed(() => {
    const now = `${asks.value} ${asked.value}`;
    const known = now === before && (held.size > 0 || touched.value) ? new Set(all.map(({ id }) => id)) : undefined;
    const isNew = (issue: Issue): boolean => (held.has(issue.id) || !known!.has(issue.id)) && !isOwn(issue);
    const waits = known ? issues.value.filter((issue) => (touched.value || held.has(issue.id)) && isNew(issue)) : [];
    if (held.size || waits.length) held = new Set(waits.map(({ id }) => id));
    before = now;
    all = issues.value;
    return held;
  });
}

/** Whether it came of what was done in this tab, or was made by the person just now. */
function isOwn({ id, seq, reporter, created_at }: Issue): boolean {
  if (unsent.value.has(id) || ownWrites.value.some(({ since, until }) => since < seq && seq <= until)) return true;
  return reporter === myId.value && nowMs() / 1000 - created_at < OWN_S;
}
