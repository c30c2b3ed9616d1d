/** What the server tells that is not kept in tables: shown from the last time at once, asked for again when it may have moved. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { away } from "../store/server.ts";
import { t } from "./texts.ts";

export interface Asked<T> {
  readonly data?: T;
  /** Why there is none, in the words of the server. */
  readonly wrong?: string;
}

const MOST_KEPT = 100;
const AGAIN_MS = 30_000;
const kept = new Map<string, Asked<unknown>>();
/** Goes up with each change that was made here, and when one comes back to the page. */
const moved = signal(0);

/** Something was changed here: what is on the screen is asked for again. */
export function changed(): void {
  moved.value++;
}

addEventListener("focus", changed);
setInterval(() => {
  if (document.visibilityState === "visible") changed();
}, AGAIN_MS);

/** The answer to a question that is known by its name; `null` asks nothing. */
export function useAsked<T>(name: string | null, load: () => Promise<T>): Asked<T> {
  const [, turn] = useState({});
  const now = moved.value;
  useEffect(() => {
    if (name === null) return;
    let late = false;
    load().then(
      (data) => late || set(name, { data }),
      (error: unknown) => late || fell(name, error),
    ).finally(() => late || turn({}));
    return () => {
      late = true;
    };
  }, [name, now]);
  return name === null ? {} : ((kept.get(name) ?? {}) as Asked<T>);
}

/** It was answered by a change, and needs no asking. */
export function learn<T>(name: string, data: T): void {
  set(name, { data });
}

function set(name: string, found: Asked<unknown>): void {
  kept.delete(name);
  kept.set(name, found);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
}

/** What was there stays where the server does not answer: the line at the top says that it does not. */
function fell(name: string, error: unknown): void {
  const wrong = told(error);
  if (away(error) && kept.get(name)?.data !== undefined) return;
  set(name, { wrong });
}

/** Why something did not go, for people. What is no refusal is a fault of the app. */
export function told(error: unknown): string {
  if (error instanceof Problem && !away(error)) return error.detail || error.title;
  if (away(error)) return error instanceof Problem ? error.detail || error.title : t.noAnswer;
  throw error;
}

/** The same, by field; under `""` what belongs to none of them. */
export function byField(error: unknown): Record<string, string> {
  if (!(error instanceof Problem) || !error.errors.length) return { "": told(error) };
  return Object.fromEntries(error.errors.map(({ path, message }) => [path.split(/[.[]/)[0] ?? "", message]));
}
