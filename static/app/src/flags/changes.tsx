/** The change requests of a project, and what is to happen at a time. */
import type { Flag, FlagChange } from "@kbwork/client";
import { tables } from "../store/tables.ts";
import { server } from "../store/server.ts";
import { query } from "../ui/router.ts";
import { exactly, when } from "../ui/texts.ts";
import { useAsked } from "./asked.ts";
import { useFlags } from "./catalogue.ts";
import { goWith } from "./listed.ts";
import { type Instruction, pathOf } from "./model.ts";
import { Badge, Empty, Sign, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { moment, sentences } from "./words.ts";
import { tried } from "./writing.ts";

export const KINDS = { pending: "warn", approved: "good", applied: "good", declined: "bad", failed: "bad", cancelled: undefined } as const;

export function Status({ of }: { of: FlagChange["status"] }) {
  const kind = KINDS[of];
  return <Badge {...(kind && { kind })}>{t.statuses[of]}</Badge>;
}

export function nameOf(id: string): string {
  return tables.member.watch(id)?.name ?? id.replace(/^agent:/, "");
}

const OPEN = "open";

export function Changes({ project }: { project: string }) {
  const wanted = query.value.get("status") ?? OPEN;
  const asked = useAsked(`changes ${project}`, () => server.flags.changes({ project }));
  const flags = useFlags(project).data ?? [];
  const schedules = useAsked(`schedules ${project}`, () => server.flags.schedules({ project })).data ?? [];
  if (!asked.data) return asked.wrong ? <Wrong>{asked.wrong}</Wrong> : <p class="meta pad late-word">{t.loading}</p>;
  const shown = asked.data.filter((one) => wanted === "" || (wanted === OPEN ? one.status === "pending" || one.status === "approved" : one.status === wanted));
  return (
    <div class="page flag-page narrow">
      <div class="bar headline">
        <h1 class="grow">{t.places.changes}</h1>
        <select class="choose" aria-label={t.status} value={wanted} onChange={(event) => goWith({ status: event.currentTarget.value })}>
          <option value={OPEN}>{t.open}</option>
          {Object.entries(t.statuses).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
        </select>
      </div>
      {schedules.length > 0 && wanted === OPEN && (
        <ul class="lines" aria-label={t.scheduledOnes}>
          {schedules.map((one) => (
            <li key={one.id}>
              <Sign of="clock" />
              <span class="grow">
                <a data-in href={`${pathOf(project, one.key)}?env=${encodeURIComponent(one.environment)}`}><strong dir="auto">{one.key}</strong></a> <span class="meta">{one.environment}</span>
                <br />{words(flags, one.key, one.instructions as Instruction[])}
              </span>
              <span class="meta">{moment(one.run_at)} · {nameOf(one.created_by)}</span>
              <button type="button" class="plain" onClick={() => void tried(server.flags.schedule_delete({ project, key: one.key, id: one.id }))}>{t.unschedule}</button>
            </li>
          ))}
        </ul>
      )}
      <ul class="lines" aria-label={t.places.changes}>
        {shown.map((one) => (
          <li key={one.id}>
            <Status of={one.status} />
            <span class="grow">
              <a data-in href={pathOf(project, "changes", one.id)}><strong dir="auto">{one.target}</strong></a> <span class="meta">{one.environment}</span>
              <br />{words(flags, one.kind === "flag" ? one.target : "", one.instructions as Instruction[])}
            </span>
            <span class="meta" title={exactly(one.created_at)}>{nameOf(one.requested_by)} · {when(one.created_at)}</span>
          </li>
        ))}
      </ul>
      {!shown.length && !(schedules.length && wanted === OPEN) && <Empty title={wanted === OPEN ? t.noOpenChanges : t.noneFit} what={t.changesWhat} />}
    </div>
  );
}

function words(flags: readonly Flag[], key: string, instructions: readonly Instruction[]): string {
  return sentences(flags.find((one) => one.key === key) ?? { variations: [] }, instructions, undefined).join(" ");
}
