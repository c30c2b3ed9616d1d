/** Taking back one change of those of the last day, whichever it is and wherever it was made. */
import { type Applied, Problem, type Undoable } from "@kbwork/client";
import { done } from "../store/changes.ts";
import { away, server } from "../store/server.ts";
import { t } from "../ui/texts.ts";

/** Why it did not go; `force`: it does where what was changed since is set back, too. */
export interface Against {
  readonly why: string;
  readonly each: readonly string[];
  readonly force: boolean;
}

/** `all`: what there is, the newest first. */
export async function takeBack({ seq, token }: Undoable, all: readonly Undoable[], force: boolean): Promise<Applied | Against> {
  const before = done.peek();
  // An act is known by any event of its change: it belongs to the one that begins next before it.
  const isOf = (act: number | string): boolean => (typeof act === "string" ? act === token : all.find((one) => one.seq <= act)?.seq === seq);
  // A key does not take it back once more.
  done.value = before.flatMap((one) => {
    const acts = one.acts.filter((act) => !isOf(act));
    return acts.length ? [{ ...one, acts }] : [];
  });
  try {
    return await server.undo.apply({ token, ...(force && { force }) });
  } catch (error) {
    const meanwhile = done.peek().filter(({ group }) => !before.some((one) => one.group === group));
    done.value = [...before, ...meanwhile];
    return against(error);
  }
}

/** What stands against it now; undefined: nothing does. */
export async function lookCloser({ token }: Undoable): Promise<Against | undefined> {
  try {
    await server.undo.apply({ token, dry_run: true });
    return undefined;
  } catch (error) {
    return against(error);
  }
}

function against(error: unknown): Against {
  if (away(error)) return { why: t.noAnswer, each: [], force: false };
  if (!(error instanceof Problem)) throw error;
  const each = error.errors.map(({ message }) => message);
  return { why: error.detail || error.title, each: [...new Set(each)], force: error.status === 409 && each.length > 0 };
}
