/** The types that are handed out are those of the sources. */
import { Context, Snapshot, type Detail, type Wanted } from "../src/engine/index.ts";
import type * as told from "./engine.d.ts";

export const snapshot: typeof told.Snapshot = Snapshot;
export const context: Pick<typeof told.Context, "hashed"> = Context;
export const made: told.Context = new Context({});
export const detail = (one: Detail): told.Detail => one;
export const same = (one: told.Detail): Detail => one;
export const wanted = (one: told.Wanted): Wanted => one;
