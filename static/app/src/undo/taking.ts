/** Taking back one change of those of the last day, whichever it is and wherever it was made. */
import { type Applied, Problem, type Undoable, type UndoApply } from "@kbwork/client";
import { done } from "../store/changes.ts";
import { away, server } from "../store/server.ts";
import { t } from "../ui/texts.ts";

/** So many of one's changes are looked through. */
export const MOST = 200;

/** Why it did not go; `force`: it does where what was changed since is set back, too. */
export interface Against {
  readonly why: string;
  readonly each: readonly string[];
  readonly force: boolean;
  /** There is no such change of one's own. */
  readonly isUnknown?: boolean;
}

/** One of `all`, which is what there is, the newest first. */
export function takeBack({ seq, token }: Undoable, all: readonly Undoable[], force: boolean): Promise<Applied | Against> {
  // An act is known by any event of its change: it belongs to the one that begins next before it.
  return apply({ token, ...(force && { force }) }, (act) => (typeof act === "string" ? act === token : all.find((one) => one.seq <= act)?.seq === seq));
}

/** The change that told this event, wherever it stands in that. */
export async function takeBackOf(seq: number, force: boolean): Promise<Applied | Against> {
  const all = await server.undo.list({ limit: MOST }).catch(() => []);
  const begun = (act: number): number | undefined => all.find((one) => one.seq <= act)?.seq;
  return apply({ seq, ...(force && { force }) }, (act) => act === seq || (typeof act === "number" && begun(seq) !== undefined && begun(act) === begun(seq)));
}

async function apply(asked: UndoApply, isOf: (act: number | string) => boolean): Promise<Applied | Against> {
  const before = done.peek();
  // A key does not take it back once more.
  done.value = before.flatMap((one) => {
    const acts = one.acts.filter((act) => !isOf(act));
    return acts.length ? [{ ...one, acts }] : [];
  });
  try {
    return await server.undo.apply(asked);
  } catch (error) {
    const meanwhile = done.peek().filter(({ group }) => !before.some((one) => one.group === group));
    done.value = [...before, ...meanwhile];
    return against(error);
  }
}

/** What would come of it, or what stands against it now. */
export async function lookCloser(asked: Pick<UndoApply, "seq" | "token">): Promise<Applied | Against> {
  try {
    return await server.undo.apply({ ...asked, dry_run: true });
  } catch (error) {
    return against(error);
  }
}

function against(error: unknown): Against {
  if (away(error)) return { why: t.noAnswer, each: [], force: false };
  if (!(error instanceof Problem)) throw error;
  const each = error.errors.map(({ message }) => message);
  return { why: error.detail || error.title, each: [...new Set(each)], force: error.status === 409 && each.length > 0, isUnknown: error.slug === "not-found" };
}
