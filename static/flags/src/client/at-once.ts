/** The same as `later.ts`, of which everything is there. */
import { OPERATORS } from "../engine/further.ts";
import type { Operators } from "../engine/operators.ts";
import { Recorder } from "./recorder.ts";

export const recorder = async (): Promise<typeof Recorder> => Recorder;
export const operators = async (): Promise<Operators> => OPERATORS;
