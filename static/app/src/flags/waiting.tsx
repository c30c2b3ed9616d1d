/** What waits for a flag in an environment: changes that ask for approval, and what is to happen at a time. */
import type { Environment, Flag } from "@kbwork/client";
import { tables } from "../store/tables.ts";
import { server } from "../store/server.ts";
import { type Instruction, configOf, pathOf } from "./model.ts";
import { Sign } from "./parts.tsx";
import { t } from "./texts.ts";
import { moment, sentences } from "./words.ts";
import { tried } from "./writing.ts";

export function Waiting({ flag, environment }: { flag: Flag; environment: Environment }) {
  const changes = (flag.changes ?? []).filter((one) => one.environment === environment.key);
  const schedules = (flag.schedules ?? []).filter((one) => one.environment === environment.key);
  if (!changes.length && !schedules.length) return null;
  const state = flag.environments[environment.key];
  const config = state && configOf(state);
  return (
    <ul class="waiting" aria-label={t.waiting}>
      {changes.map((one) => (
        <li class="bar" key={`change ${one.id}`}>
          <Sign of="review" />
          <a data-in class="grow cut" href={pathOf(flag.project, "changes", one.id)}>{sentences(flag, one.instructions as Instruction[], config).join(" ")}</a>
          <span class="meta">{t.askedBy(tables.member.watch(one.requested_by)?.name ?? one.requested_by)}{one.run_at !== null && ` · ${moment(one.run_at)}`}</span>
        </li>
      ))}
      {schedules.map((one) => (
        <li class="bar" key={`schedule ${one.id}`}>
          <Sign of="clock" />
          <span class="grow cut">{sentences(flag, one.instructions as Instruction[], config).join(" ")}</span>
          <span class="meta">{moment(one.run_at)}</span>
          <button type="button" class="plain" onClick={() => void tried(server.flags.schedule_delete({ project: flag.project, key: flag.key, id: one.id }))}>{t.unschedule}</button>
        </li>
      ))}
    </ul>
  );
}
