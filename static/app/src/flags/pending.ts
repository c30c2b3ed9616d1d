/** What was edited and is not saved: by flag and environment, kept in the tab until it is saved or thrown away. */
import { signal } from "@preact/signals";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { applied, between } from "./instructions.ts";
import { ALL, type Config, type Instruction, same, type Serves } from "./model.ts";

interface Pending {
  /** As it was saved when the editing began, and its version. */
  readonly base: Config;
  readonly version: number;
  readonly draft: Config;
}

const NAME = "flag targeting ";
const pendings = signal<ReadonlyMap<string, Pending>>(new Map());

export function pendingOf(name: string): Pending | undefined {
  const found = pendings.value.get(name);
  if (found) return found;
  const written = draftOf(NAME + name);
  return written ? (JSON.parse(written) as Pending) : undefined;
}

/** What is edited is what is saved once more: nothing is pending. */
export function edit(name: string, saved: { readonly config: Config; readonly version: number }, draft: Config): void {
  const { base, version } = pendingOf(name) ?? { base: saved.config, version: saved.version };
  keep(name, same(base, draft) ? undefined : { base, version, draft });
}

export function discard(name: string): void {
  keep(name, undefined);
}

/** Do the same to what somebody else saved meanwhile. Answers what does not fit any more. */
export function rebase(name: string, saved: { readonly config: Config; readonly version: number }): Instruction[] {
  const pending = pendingOf(name);
  if (!pending) return [];
  const { config: draft, lost } = applied(saved.config, between(pending.base, pending.draft));
  keep(name, same(saved.config, draft) ? undefined : { base: saved.config, version: saved.version, draft });
  return lost;
}

function keep(name: string, pending: Pending | undefined): void {
  const next = new Map(pendings.value);
  if (pending) next.set(name, pending);
  else next.delete(name);
  keepDraft(NAME + name, pending ? JSON.stringify(pending) : "");
  pendings.value = next;
}

export type Fault = { readonly rule: number; readonly why: "clauses" | "attribute" | "values" | "sum" } | { readonly rule: null; readonly why: "sum" };

/** What cannot be saved as it stands: rules by their number from 1. */
export function faultsOf(config: Config): Fault[] {
  const found: Fault[] = [];
  config.rules.forEach(({ clauses, ...serves }, at) => {
    const rule = at + 1;
    if (!clauses.length) found.push({ rule, why: "clauses" });
    if (clauses.some((one) => one.op !== "segmentMatch" && !one.attribute)) found.push({ rule, why: "attribute" });
    if (clauses.some((one) => !one.values.length)) found.push({ rule, why: "values" });
    if (!sums(serves)) found.push({ rule, why: "sum" });
  });
  if (!sums(config.fallthrough)) found.push({ rule: null, why: "sum" });
  return found;
}

export function sums({ rollout }: Serves): boolean {
  return !rollout || sumOf(rollout) === ALL;
}

export function sumOf(rollout: NonNullable<Serves["rollout"]>): number {
  return rollout.variations.reduce((all, one) => all + one.weight, 0);
}
