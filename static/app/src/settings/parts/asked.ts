/** What the server says of what is not kept in the tables: asked at the visit, after each change, and on coming back. */
import { signal } from "@preact/signals";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { away } from "../../store/server.ts";
import { offlineSince } from "../../store/session.ts";
import { t } from "../../ui/texts.ts";

/** Moves with each change that was made in this room. */
export const changed = signal(0);

export interface Asked<T> {
  readonly data: T | undefined;
  /** Why there is nothing. */
  readonly wrong: string | undefined;
  readonly again: () => Promise<void>;
}

export function useAsked<T>(ask: () => Promise<T>, ...on: readonly unknown[]): Asked<T> {
  const [found, setFound] = useState<{ data?: T; wrong?: string }>({});
  const latest = useRef(ask);
  latest.current = ask;
  const turn = useRef(0);
  const again = useCallback(async () => {
    const mine = ++turn.current;
    try {
      const data = await latest.current();
      if (mine === turn.current) setFound({ data });
    } catch (error) {
      if (mine === turn.current) setFound((before) => ({ ...before, wrong: wordsOf(error) }));
    }
  }, []);
  useEffect(() => {
    void again();
  }, [...on, changed.value, offlineSince.value === undefined]);
  useEffect(() => {
    const back = (): void => void again();
    addEventListener("focus", back);
    return () => {
      turn.current++;
      removeEventListener("focus", back);
    };
  }, []);
  return { data: found.data, wrong: found.wrong, again };
}

/** A refusal in the words of the server. What is no answer of it is a fault of ours. */
export function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.detail || error.title;
  if (away(error)) return t.noAnswer;
  throw error;
}
