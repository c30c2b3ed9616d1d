/** Over the list of a sprint: how it goes day by day, what came in and went out, and what the ones before got done. */
import { useEffect, useState } from "preact/hooks";
import type { Sprint, SprintReport } from "@kbwork/client";
import { isDone } from "../issues/lanes.ts";
import { within } from "../issues/query.ts";
import type { Sprint as Kept } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { t } from "../ui/texts.ts";
import { Chart, DayTable, Legend, type Way } from "./chart.tsx";
import { forecastOf } from "./forecast.ts";
import { words } from "./texts.ts";
import { Velocity } from "./velocity.tsx";

/** So many of those before it are drawn. */
const MOST_BEFORE = 8;
/** What changes together is asked for once. */
const CALM_MS = 400;
const WAYS = ["down", "up"] as const;

interface Told {
  readonly report: SprintReport;
  /** Those that are done, the earliest first. */
  readonly before: readonly Sprint[];
}

export function SprintBurn({ id }: { id: number }) {
  const sprint = tables.sprint.watch(id);
  const { told, wrong } = useTold(sprint);
  const [way, setWay] = useState<Way>("down");
  if (!sprint) return null;
  const byPoints = told !== undefined && told.report.sprint.counts.estimate > 0;
  const forecast = told?.report.sprint.state === "active" ? forecastOf(told.report.days, told.before, byPoints) : undefined;
  return (
    <div class="burn" role="region" aria-label={words.report} tabIndex={0}>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {!told && !wrong && <p class="meta late-word">{t.loading}</p>}
      {told && (
        <>
          <Facts report={told.report} />
          <div class="charts">
            <figure>
              <div class="switch" role="group" aria-label={words.report}>
                {WAYS.map((one) => <button key={one} type="button" class="plain" aria-pressed={way === one} onClick={() => setWay(one)}>{words.ways[one]}</button>)}
              </div>
              {told.report.days.length > 0 ? (
                <>
                  <Chart days={told.report.days} way={way} end={sprint.end_date} unit={byPoints ? words.points : words.issues} forecast={forecast} />
                  <Legend way={way} hasForecast={forecast !== undefined} />
                  {forecast && <p class="meta">{words.ahead(forecast.dates, sprint.end_date)}</p>}
                  <DayTable days={told.report.days} />
                </>
              ) : <p class="meta">{words.noDays}</p>}
            </figure>
            <figure>
              <h2 class="meta">{words.velocity}</h2>
              <Velocity sprints={told.before} />
            </figure>
          </div>
        </>
      )}
    </div>
  );
}

function Facts({ report: { sprint, said_done, added, removed } }: { report: SprintReport }) {
  return (
    <>
      {sprint.state === "done" && <p>{words.kept(said_done)}</p>}
      {added.length > 0 && <p class="meta">{words.cameIn(added.length)} <Keys of={added} /></p>}
      {removed.length > 0 && <p class="meta">{words.wentOut(removed.length)} <Keys of={removed} /></p>}
    </>
  );
}

function Keys({ of }: { of: readonly string[] }) {
  return <span class="keys">{of.map((key, at) => <span key={key}>{at > 0 && ", "}<a data-in href={`/issues/${key}`}>{key}</a></span>)}</span>;
}

/** Asked for again with whatever changes of what is in it. */
function useTold(sprint: Kept | undefined): { readonly told: Told | undefined; readonly wrong: string | undefined } {
  const [found, setFound] = useState<{ of: number; told?: Told; wrong?: string }>();
  const held = within.value;
  const size = held.reduce((all, { estimate }) => all + (estimate ?? 0), 0);
  useEffect(() => {
    if (!sprint) return;
    let late = false;
    const ask = async (): Promise<void> => {
      try {
        const told = await tellOf(sprint);
        if (!late) setFound({ of: sprint.id, told });
      } catch (error) {
        if (!late) setFound((before) => ({ of: sprint.id, ...(before?.of === sprint.id && before), wrong: away(error) ? t.noAnswer : (error as Error).message }));
      }
    };
    const timer = setTimeout(() => void ask(), found?.of === sprint.id ? CALM_MS : 0);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [sprint, held.length, held.filter(isDone).length, size, offlineSince.value === undefined]);
  const own = found?.of === sprint?.id ? found : undefined;
  return { told: own?.told, wrong: own?.wrong };
}

/** Of the same team; of none, of its first project. */
async function tellOf({ id, team, projects: [project] }: Kept): Promise<Told> {
  const whose = team !== null ? { team } : project ? { project } : undefined;
  const [report, done] = await Promise.all([
    server.sprints.report({ id }),
    whose ? server.sprints.list({ ...whose, state: "done" }) : [],
  ]);
  const before = done.filter((one) => one.id !== id).sort((one, other) => other.completed_at! - one.completed_at! || other.id - one.id);
  return { report, before: before.slice(0, MOST_BEFORE).reverse() };
}
