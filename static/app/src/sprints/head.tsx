/** At the head of the list of a sprint: what it is for, how long it goes on, and how much of it is done. */
import { useEffect, useState } from "preact/hooks";
import type { SprintCounts } from "@kbwork/client";
import { askModel, askSprint } from "../issues/asked.ts";
import { isDone } from "../issues/lanes.ts";
import { within } from "../issues/query.ts";
import { SprintBurn } from "../screens/parts.tsx";
import type { Sprint } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { canAsk } from "../store/models.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Part } from "../ui/later.tsx";
import { go, query, withQuery } from "../ui/router.ts";
import { day, dayFromNow, t } from "../ui/texts.ts";
import { daysBetween } from "./days.ts";
import { words } from "./texts.ts";

export function SprintHead({ id }: { id: number }) {
  const sprint = tables.sprint.watch(id);
  const counts = useCounts(sprint);
  if (!sprint) return null;
  const { state, goal, start_date, end_date } = sprint;
  const { issues, done, estimate, estimate_done } = counts;
  const span = [start_date, end_date].filter((date) => date !== null).map(day).join(" – ");
  const shows = query.value.get("show") === "report";
  return (
    <>
      <section aria-label={words.about}>
        {goal && <p class="goal" dir="auto">{goal}</p>}
        <div class="bar">
          <span class="meta">{words.states[state]}{span && ` · ${span}`}</span>
          <Days sprint={sprint} />
          {issues > 0 && <progress max={issues} value={done} aria-label={words.done(done, issues)} />}
          <span class="meta">
            {words.done(done, issues)}
            {estimate > 0 && ` · ${words.points(estimate_done, estimate)}`}
            {counts.added + counts.removed > 0 && ` · ${words.scope(counts.added, counts.removed)}`}
          </span>
          <span class="grow" />
          <button type="button" class="plain" aria-pressed={shows} onClick={() => go(withQuery({ show: shows ? null : "report" }), { replace: true })}>{words.report}</button>
          {canAsk.value && <button type="button" class="plain" onClick={() => askModel({ subject: `sprint:${id}`, title: sprint.name })}>{t.askModel}</button>}
          {may("sprints:write") && (
            <>
              {state !== "done" && <button type="button" class="plain" onClick={() => askSprint({ what: "change", id })}>{words.change}</button>}
              {state === "planned" && <button type="button" onClick={() => askSprint({ what: "start", id })}>{words.start}</button>}
              {state === "active" && <button type="button" onClick={() => askSprint({ what: "complete", id })}>{words.complete}</button>}
            </>
          )}
        </div>
      </section>
      {shows && <Part of={SprintBurn} props={{ id }} />}
    </>
  );
}

function Days({ sprint: { state, start_date, end_date } }: { sprint: Sprint }) {
  const until = state === "planned" ? start_date : state === "active" ? end_date : null;
  if (until === null) return null;
  const count = daysBetween(dayFromNow(0), until);
  return <span class={count < 0 ? "late" : "meta"}>{state === "planned" ? words.starts(count) : words.left(count)}</span>;
}

/** Of an open one by what is kept here, so that they move with each change; what came and went the server knows. */
function useCounts(sprint: Sprint | undefined): SprintCounts {
  const held = within.value;
  const [told, setTold] = useState<SprintCounts>();
  useEffect(() => {
    if (!sprint) return;
    let late = false;
    server.sprints.get({ id: sprint.id }).then(({ counts }) => late || setTold(counts), () => undefined); // the rest stands without
    return () => {
      late = true;
    };
  }, [sprint?.id, sprint?.state, held.length]);
  if (sprint?.state === "done" && told) return told;
  const finished = held.filter(isDone);
  const sum = (some: typeof held): number => some.reduce((all, issue) => all + (issue.estimate ?? 0), 0);
  return {
    issues: held.length,
    done: finished.length,
    estimate: sum(held),
    estimate_done: sum(finished),
    added: told?.added ?? 0,
    removed: told?.removed ?? 0,
  };
}
