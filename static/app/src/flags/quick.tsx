/** Switching a flag from a list: at once where nobody has to be asked, else by the dialog that shows what it does. */
import type { Environment, Flag } from "@kbwork/client";
import { may } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import { review } from "./asking.ts";
import { t } from "./texts.ts";
import { turn } from "./writing.ts";

export function askTurn(flag: Flag, environment: Environment): void {
  const state = flag.environments[environment.key];
  if (!state) return;
  if (flag.archived) return say(t.archivedStays);
  if (!may("flags:write")) return say(t.mayNot);
  const on = !state.on;
  if (!environment.critical && !environment.require_approval) return void turn(flag, environment.key, on);
  review({
    project: flag.project,
    key: flag.key,
    environment,
    instructions: [{ kind: on ? "turnFlagOn" : "turnFlagOff" }],
    version: state.version,
  });
}
