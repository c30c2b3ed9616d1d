/** What is asked of the server for several screens. */
import type { Environment, Flag, FlagProject } from "@kbwork/client";
import { server } from "../store/server.ts";
import { type Asked, learn, useAsked } from "./asked.ts";

const HOURS = 24;

export function useProjects(): Asked<FlagProject[]> {
  return useAsked("projects", () => server.flags.projects());
}

export function useEnvironments(project: string): Asked<Environment[]> {
  return useAsked(`environments ${project}`, () => server.flags.environments({ project }));
}

export function useFlags(project: string, archived = false): Asked<Flag[]> {
  return useAsked(`flags ${project} ${archived}`, () => server.flags.list({ project, archived }));
}

const nameOf = (project: string, key: string): string => `flag ${project} ${key}`;

export function useFlag(project: string, key: string): Asked<Flag> {
  return useAsked(nameOf(project, key), () => server.flags.get({ project, key }));
}

/** As a change left it: what one edits next begins at one's own change, not before it. */
export function learnFlag(flag: Flag): void {
  learn(nameOf(flag.project, flag.key), flag);
}

export type TrafficOf = ReadonlyMap<string, { readonly counts: readonly number[]; readonly at: number | null }>;

/** Evaluations of each flag in an environment. */
export function useTraffic(project: string, environment: string | undefined): Asked<TrafficOf> {
  return useAsked(environment === undefined ? null : `traffic ${project} ${environment}`, async () => {
    const found = await server.flags.traffic({ project, environment: environment!, hours: HOURS });
    return new Map(found.map((one) => [one.key, { counts: one.counts, at: one.evaluated_at }]));
  });
}

/** Why a flag looks ready to be removed, by its key. */
export function useStale(project: string): Asked<ReadonlyMap<string, string>> {
  return useAsked(`stale ${project}`, async () => {
    const found = await server.flags.stale({ project });
    return new Map(found.map(({ key, reason }) => [key, reason.slice(reason.indexOf(":") + 2)]));
  });
}
