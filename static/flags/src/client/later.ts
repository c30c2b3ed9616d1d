/** What a page fetches behind its first flags. In the module of one file `at-once.ts` stands in its place. */
import type { Operators } from "../engine/operators.ts";
import type { PageRecorder } from "./page-recorder.ts";

export const recorder = async (): Promise<typeof PageRecorder> => (await import("./page-recorder.ts")).PageRecorder;
export const operators = async (): Promise<Operators> => (await import("../engine/further.ts")).OPERATORS;
