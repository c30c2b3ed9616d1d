/** The flag engine: a snapshot and a context in, a value with its reason out. Pure, and without dependencies. */
export { Context } from "./contexts.ts";
export type { Detail, ErrorKind, Reason, Wanted } from "./details.ts";
export { Snapshot } from "./snapshot.ts";
