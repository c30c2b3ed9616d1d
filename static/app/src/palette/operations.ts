/** Every operation of the server, as its own description tells them: what it does, what it takes, who may run it. */
import { may } from "../store/session.ts";
import { described, type Description, offered, type Operation } from "./described.ts";
import { words } from "./words.ts";

export { type Input, type Operation, valueOf } from "./described.ts";

const ADDRESS = "/api/v1/openapi.json";

interface Known {
  readonly operations: readonly Operation[];
  readonly kinds: readonly string[];
}

let known: Promise<Known> | undefined;

/** Those that the person may run. */
export async function operations(): Promise<readonly Operation[]> {
  return (await all()).operations;
}

/** Kinds of events that come of operations, and all that begin as some of them do, in their order. */
export async function eventKinds(): Promise<readonly string[]> {
  return (await all()).kinds;
}

/** Fetched once; asked for anew where that failed. */
function all(): Promise<Known> {
  known ??= fetchAll().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function fetchAll(): Promise<Known> {
  const answer = await fetch(ADDRESS);
  if (!answer.ok) throw new Error(words.noOperations);
  const all = (await answer.json()) as Description;
  const kinds = described(all).flatMap((post) => post["x-kb-events"] ?? []).filter((kind) => kind !== "*");
  const families = kinds.map((kind) => `${kind.split(".")[0]}.*`);
  return {
    operations: offered(all, may),
    kinds: [...new Set(["*", ...kinds, ...families])].sort(),
  };
}
