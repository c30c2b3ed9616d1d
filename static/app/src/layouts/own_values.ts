/** What own fields hold of the issues that a table shows: that is not among what is kept, so that it is asked for. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { type OwnValues, pathOf } from "../issues/own.tsx";
import type { Issue, OwnField } from "../store/kinds.ts";
import { place, resets } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";

/** As many as one call takes. */
const MOST = 50;
const MOST_KEPT = 2_000;
/** Who scrolls on does not wait for what they left. */
const CALM_MS = 60;

interface Held {
  readonly values: OwnValues;
  /** Up to which event of the issue they are known. */
  readonly seq: number;
  /** What the server had told of the issue by then: it tells it anew with each change. */
  readonly told: Issue | undefined;
}

const held = signal<ReadonlyMap<number, Held>>(new Map());
let era = resets.peek();

export function valueOf(issue: Issue, { key }: OwnField): unknown {
  const path = pathOf(key);
  return (path in issue ? issue[path] : held.value.get(issue.id)?.values[key]) ?? null;
}

/** Undefined: it is still to come. */
export function heldOf(id: number): Held | undefined {
  return held.value.get(id);
}

/** What somebody set is known already. */
export function showValue(id: number, key: string, value: unknown): void {
  const found = held.peek().get(id);
  if (found) put([[id, { ...found, values: { ...found.values, [key]: value } }]]);
}

/** Ask for those of these issues as long as they are on the screen, and again when one changes. */
export function useOwnValues(ids: ReadonlySignal<readonly number[]>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      void tables.issue.moved.value;
      void offlineSince.value;
      if (era !== resets.value) {
        era = resets.value;
        held.value = new Map();
      }
      const missing = ids.value.filter((id) => {
        const told = tables.issue.toldOf(id);
        return told !== undefined && held.peek().get(id)?.told !== told;
      });
      clearTimeout(timer);
      if (missing.length) timer = setTimeout(() => void ask(missing), CALM_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [ids]);
}

async function ask(ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST) {
    const some = ids.slice(at, at + MOST).flatMap((id) => tables.issue.toldOf(id) ?? []);
    const seq = place.seq;
    try {
      const found = await server.batch(some.map(({ key }) => ["issues.get", { key }] as const));
      // One that was asked for earlier, and comes later, is left.
      const fresh = found.map(({ id, values }, index) => [id, { values, seq, told: some[index] }] as const);
      put(fresh.filter(([id]) => (held.peek().get(id)?.seq ?? 0) <= seq));
    } catch (error) {
      // One that went meanwhile leaves the table, and the rest is asked for then; without a network, when there is one.
      if (!away(error) && !(error instanceof Problem)) throw error;
      return;
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
