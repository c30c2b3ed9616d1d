/** The same as `later.ts`, of which everything is there. */
import { OPERATORS } from "../engine/further.ts";
import type { Operators } from "../engine/operators.ts";
import { PageRecorder } from "./page-recorder.ts";

export const recorder = async (): Promise<typeof PageRecorder> => PageRecorder;
export const operators = async (): Promise<Operators> => OPERATORS;
