/** What stands inside a flag, as the screens use it: in the spelling of instructions, which is that of the engine. */
import type { EnvironmentState, Flag } from "@kbwork/client";

export type Instruction = Record<string, unknown> & { readonly kind: string };

export interface Slice {
  readonly variation: number;
  /** Thousandths of a percent. */
  readonly weight: number;
}

export interface Rollout {
  readonly variations: readonly Slice[];
  readonly bucketBy?: string;
  readonly contextKind?: string;
}

/** One of the two. */
export interface Serves {
  readonly variation?: number;
  readonly rollout?: Rollout;
}

export interface Clause {
  readonly contextKind: string;
  readonly attribute?: string;
  readonly op: string;
  readonly values: readonly unknown[];
  readonly negate: boolean;
}

export interface Rule extends Serves {
  readonly id: string;
  readonly description: string;
  readonly clauses: readonly Clause[];
  readonly trackEvents?: boolean;
}

export interface Target {
  readonly contextKind: string;
  readonly variation: number;
  readonly values: readonly string[];
}

export interface Prerequisite {
  readonly key: string;
  readonly variation: number;
}

/** Who gets what in one environment. */
export interface Config {
  readonly on: boolean;
  readonly offVariation: number | null;
  readonly fallthrough: Serves;
  readonly targets: readonly Target[];
  readonly rules: readonly Rule[];
  readonly prerequisites: readonly Prerequisite[];
  readonly trackEvents: boolean;
}

export interface Variation {
  readonly value: unknown;
  readonly name: string;
  readonly description: string;
}

export const ALL = 100_000;
export const KILL_SWITCH = "kill-switch";

export function configOf(state: EnvironmentState): Config {
  return {
    on: state.on,
    offVariation: state.off_variation,
    fallthrough: state.fallthrough as Serves,
    targets: (state.targets ?? []) as unknown as Target[],
    rules: (state.rules ?? []) as unknown as Rule[],
    prerequisites: (state.prerequisites ?? []) as unknown as Prerequisite[],
    trackEvents: state.track_events,
  };
}

export function variationsOf(flag: Pick<Flag, "variations">): readonly Variation[] {
  return flag.variations as unknown as Variation[];
}

/** What people call a variation; `null` is what a program answers by itself. */
export function called(flag: Pick<Flag, "variations">, at: number | null | undefined, nothing = "the program's default"): string {
  if (at === null || at === undefined) return nothing;
  const found = variationsOf(flag)[at];
  if (!found) return `#${at}`;
  return found.name || short(found.value);
}

const LONGEST = 40;

export function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether two parts of a definition are the same, whatever the order of their fields. */
export function same(one: unknown, other: unknown): boolean {
  return packed(one) === packed(other);
}

function packed(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** What is served of a rule or of the rest, and nothing else of it. */
export function servesOf({ variation, rollout }: Serves): Serves {
  return rollout ? { rollout } : { variation: variation ?? 0 };
}

export function pathOf(project: string, ...rest: readonly (string | number)[]): string {
  return ["/flags", project, ...rest].map((part, at) => (at ? encodeURIComponent(part) : part)).join("/");
}
