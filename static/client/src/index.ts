/** The client as programs have it: one object with the generic calls, and every operation by its name. */
import type * as told from "../types/index.d.ts";
import { Core } from "./core.ts";

export type * from "../types/index.d.ts";
export { version } from "./contract.ts";
export { Problem, Unreachable } from "./problem.ts";

export const kbwork: typeof told.kbwork = (options = {}) => {
  const core = new Core(options);
  const modules: Record<string, object> = {};
  return new Proxy(core as unknown as told.Kbwork, {
    get(_, name) {
      // What waits for a promise asks for `then`, and JSON for `toJSON`: there are no such modules.
      if (typeof name !== "string" || name in core || name === "then" || name === "toJSON") {
        return Reflect.get(core, name, core);
      }
      return (modules[name] ??= moduleOf(core, name));
    },
    set: (_, name, value) => Reflect.set(core, name, value, core),
  });
};

/** The operations of a module, each made when it is asked for: none of their names is in the program. */
const moduleOf = (core: Core, module: string): object =>
  new Proxy(Object.create(null), {
    get: (_, verb) =>
      typeof verb === "string" && verb !== "then"
        ? (input?: object, options?: told.CallOptions) => core.call(`${module}.${verb}`, input, options)
        : undefined,
  });
