/** Changing something: whoever must prove that it is them is asked, and what can be taken back says so. */
import { signal } from "@preact/signals";
import { type In, type Name, type Out, Problem } from "@kbwork/client";
import { done, remember } from "../../store/changes.ts";
import { until } from "../../store/place.ts";
import { server } from "../../store/server.ts";
import { isKept } from "../../store/tables.ts";
import { say } from "../../ui/notes.tsx";
import { s } from "../texts.ts";
import { changed, wordsOf } from "./asked.ts";

interface Said {
  /** What was done, in words. */
  readonly said?: string;
  /** `undo.apply` takes it back. */
  readonly undo?: boolean;
  /** It may take longer than most. */
  readonly timeoutMs?: number;
}

const UNDO_MS = 100;
const UNDO_TRIES = 50;

/** Somebody is asked who they are; it goes on when they proved it. */
export const proving = signal<{ readonly go: () => void; readonly stop: () => void } | undefined>(undefined);

/** They left the question who they are unanswered. */
export class NotProven extends Error {}

const running = new Map<string, Promise<unknown>>();

/** Do it, and show what there is behind it. A button that is pressed twice does it once. */
export function act<K extends Name>(op: K, input: In<K>, told: Said = {}): Promise<Out<K>> {
  const name = JSON.stringify([op, input]);
  const work = (running.get(name) as Promise<Out<K>> | undefined) ?? acted(op, input, told).finally(() => running.delete(name));
  running.set(name, work);
  return work;
}

async function acted<K extends Name>(op: K, input: In<K>, { said, undo = false, timeoutMs }: Said): Promise<Out<K>> {
  const { data, seq } = await proven(() => server.ask(op, input as never, { timeoutMs }));
  await inTables(op, seq);
  changed.value++;
  if (said !== undefined && undo) {
    remember(said, seq);
    say(said, { title: s.takeBack, run: () => void takeBack(op, said, seq) });
  } else if (said !== undefined) say(said);
  return data as Out<K>;
}

/** The same where no form shows a refusal: it is said at the edge. */
export async function attempt<K extends Name>(op: K, input: In<K>, told: Said = {}): Promise<Out<K> | undefined> {
  try {
    return await act(op, input, told);
  } catch (error) {
    if (!(error instanceof NotProven)) say(wordsOf(error));
    return undefined;
  }
}

export async function proven<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== "elevation-needed") throw error;
    await new Promise<void>((go, stop) => {
      proving.value = { go, stop: () => stop(new NotProven()) };
    }).finally(() => {
      proving.value = undefined;
    });
    return work();
  }
}

/** What is taken back by a key is shown as it is then, too: as soon as the server answered. Answers what ends it. */
export function followUndo(): () => void {
  let count = done.peek().length;
  return done.subscribe((now) => {
    const fewer = now.length < count;
    count = now.length;
    if (!fewer) return;
    const before = server.seq;
    let tries = UNDO_TRIES;
    const timer = setInterval(() => {
      if (server.seq === before && --tries > 0) return;
      clearInterval(timer);
      changed.value++;
    }, UNDO_MS);
  });
}

/** Until what this operation did is in the tables, where it is about things that are kept: no delta tells of others. */
async function inTables(op: Name, seq: number): Promise<void> {
  const [module = ""] = op.split(".");
  if (isKept(module.replace(/s$/, "")) || module === "trash") await until(seq);
}

async function takeBack(op: Name, said: string, seq: number): Promise<void> {
  try {
    const reply = await server.ask("undo.apply", { seq });
    await inTables(op, reply.seq);
    changed.value++;
    const [kept] = reply.data?.kept ?? [];
    say(kept ? kept.why : s.tookBack(said));
  } catch (error) {
    say(wordsOf(error));
  }
}
