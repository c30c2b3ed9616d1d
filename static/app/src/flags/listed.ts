/** What the list shows and how: shared by its rows, its heads and what stands above it. */
import { signal } from "@preact/signals";
import type { Environment, Flag } from "@kbwork/client";
import { go, query } from "../ui/router.ts";
import type { TrafficOf } from "./catalogue.ts";
import { keptEnvironment } from "./chosen.ts";

export const words = signal("");
export type Sort = "name" | "traffic" | "new";
export const sort = signal<Sort>("name");
export const cursor = signal<string | undefined>(undefined);

export interface Shown {
  readonly flags: readonly Flag[];
  readonly environments: readonly Environment[];
  readonly environment: Environment | undefined;
  readonly traffic: TrafficOf | undefined;
  readonly stale: ReadonlyMap<string, string> | undefined;
}

/** Which environment the keys and the numbers are about: that of the address, or of the last time. */
export function environmentOf(project: string, environments: readonly Environment[]): Environment | undefined {
  const asked = query.value.get("env") ?? keptEnvironment(project);
  return environments.find((one) => one.key === asked) ?? environments.find((one) => one.critical) ?? environments[0];
}

/** The same place with something else behind the question mark. */
export function goWith(more: Readonly<Record<string, string | null>>): void {
  const found = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(more)) {
    if (value === null || value === "") found.delete(name);
    else found.set(name, value);
  }
  const text = String(found);
  go(location.pathname + (text ? `?${text}` : ""), { replace: true });
}
