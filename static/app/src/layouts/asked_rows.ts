/** What is not among what is kept, and is asked for of the issues that a table shows, as long as it shows them. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem } from "@kbwork/client";
import type { Issue } from "../store/kinds.ts";
import { resets } from "../store/place.ts";
import { away } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";

/** As many as one question takes. */
export const MOST_ASKED = 50;
const MOST_KEPT = 2_000;
/** Who scrolls on does not wait for what they left. */
const CALM_MS = 60;

export interface AskedRow {
  /** What the server had told of the issue by then: it tells it anew with each change. */
  readonly told: Issue | undefined;
}

export type Rows<R> = readonly (readonly [id: number, row: R])[];

interface Asks<R> {
  readonly ids: ReadonlySignal<readonly number[]>;
  /** Whether all that is wanted is in it; read by the effect that asks. */
  readonly isWhole: (row: R) => boolean;
  /** Throws a Problem for what cannot be answered. */
  readonly ask: (some: readonly Issue[]) => Promise<Rows<R>>;
  /** What stands for them then. */
  readonly refused: (some: readonly Issue[]) => Rows<R>;
}

export class AskedRows<R extends AskedRow> {
  readonly #held = signal<ReadonlyMap<number, R>>(new Map());
  #era = resets.peek();

  /** Undefined: it is still to come. */
  watch(id: number): R | undefined {
    return this.#held.value.get(id);
  }

  peek(id: number): R | undefined {
    return this.#held.peek().get(id);
  }

  /** The latest are kept. */
  put(more: Rows<R>): void {
    const next = new Map(this.#held.peek());
    for (const [id, one] of more) {
      next.delete(id);
      next.set(id, one);
    }
    for (const id of next.keys()) {
      if (next.size <= MOST_KEPT) break;
      next.delete(id);
    }
    this.#held.value = next;
  }

  /** Ask for those of these issues as long as they are on the screen, and again when one changes. */
  use(asks: Asks<R>): void {
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = effect(() => {
        void tables.issue.moved.value;
        void offlineSince.value;
        if (this.#era !== resets.value) {
          this.#era = resets.value;
          this.#held.value = new Map();
        }
        const missing = asks.ids.value.filter((id) => {
          const told = tables.issue.toldOf(id);
          const found = this.peek(id);
          return told !== undefined && (found?.told !== told || !asks.isWhole(found));
        });
        clearTimeout(timer);
        if (missing.length) timer = setTimeout(() => void this.#ask(missing, asks), CALM_MS);
      });
      return () => {
        stop();
        clearTimeout(timer);
      };
    }, [asks.ids]);
  }

  async #ask(ids: readonly number[], { ask, refused }: Asks<R>): Promise<void> {
    for (let at = 0; at < ids.length; at += MOST_ASKED) {
      const some = ids.slice(at, at + MOST_ASKED).flatMap((id) => tables.issue.toldOf(id) ?? []);
      try {
        this.put(await ask(some));
      } catch (error) {
        // Without a network they are asked for when there is one.
        if (away(error)) return;
        if (!(error instanceof Problem)) throw error;
        this.put(refused(some));
      }
    }
  }
}
