/** Changing something: whoever must prove that it is them is asked, and what can be taken back says so. */
import { signal } from "@preact/signals";
import { type In, type Name, type Out, Problem } from "@kbwork/client";
import { remember } from "../../store/changes.ts";
import { until } from "../../store/place.ts";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { s } from "../texts.ts";
import { changed, wordsOf } from "./asked.ts";

interface Said {
  /** What was done, in words. */
  readonly said?: string;
  /** `undo.apply` takes it back. */
  readonly undo?: boolean;
}

/** Somebody is asked who they are; it goes on when they proved it. */
export const proving = signal<{ readonly go: () => void; readonly stop: () => void } | undefined>(undefined);

/** They left the question who they are unanswered. */
export class NotProven extends Error {}

/** Do it, and show what there is behind it. */
export async function act<K extends Name>(op: K, input: In<K>, { said, undo = false }: Said = {}): Promise<Out<K>> {
  const { data, seq } = await proven(() => server.ask(op, input as never));
  await until(seq);
  changed.value++;
  if (said !== undefined && undo) {
    remember(said, seq);
    say(said, { title: s.takeBack, run: () => void takeBack(said, seq) });
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

async function takeBack(said: string, seq: number): Promise<void> {
  try {
    const reply = await server.ask("undo.apply", { seq });
    await until(reply.seq);
    changed.value++;
    const [kept] = reply.data?.kept ?? [];
    say(kept ? kept.why : s.tookBack(said));
  } catch (error) {
    say(wordsOf(error));
  }
}
