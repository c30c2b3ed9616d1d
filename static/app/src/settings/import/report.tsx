/** What came of an import: figures, and line by line what did not come as it was. */
import { useState } from "preact/hooks";
import type { Import, Job, LogLine } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { number } from "../../ui/texts.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.import;
const LEVELS = ["error", "warning", "info"] as const;

interface Result {
  readonly made?: Readonly<Record<string, number>>;
  readonly gone?: Readonly<Record<string, number>>;
  readonly kept?: readonly unknown[] | number;
  readonly changed?: number;
  readonly same?: number;
  readonly skipped?: number;
  readonly errors?: number;
}

/** The figures that a job answers. */
export function Figures({ result }: { result: unknown }) {
  const { made = {}, gone, kept, ...counts } = (result ?? {}) as Result;
  const kinds = w.kinds as Readonly<Record<string, string>>;
  const told: [string, number][] = gone
    ? Object.entries(gone).map(([kind, count]) => [kinds[`${kind}s`] ?? kind, count])
    : [
        ...Object.entries(made).map<[string, number]>(([kind, count]) => [kinds[kind] ?? kind, count]),
        [w.changed, counts.changed ?? 0],
        [w.same, counts.same ?? 0],
        [w.edited, typeof kept === "number" ? kept : 0],
        [w.skipped, counts.skipped ?? 0],
        [s.errors, counts.errors ?? 0],
      ];
  const shown = told.filter(([, count]) => count > 0);
  if (!shown.length) return <p class="none">{w.nothingNew}</p>;
  return (
    <dl class="figures">
      {shown.map(([kind, count]) => (
        <div key={kind}><dd><strong class={kind === s.errors ? "bad" : ""}>{number(count)}</strong></dd><dt class="meta">{kind}</dt></div>
      ))}
    </dl>
  );
}

export function Report({ one, job }: { one: Import; job: Job | undefined }) {
  const undone = one.state === "undone";
  const came = undone || one.state === "done" || Object.values(one.done).some((count) => count > 0);
  const kept = (job?.result as { kept?: unknown })?.kept;
  return (
    <>
      {came && <Section title={undone ? w.tookBack : w.came}>
        {job?.state === "done" ? <Figures result={job.result} /> : <Figures result={{ made: one.done }} />}
        {undone && Array.isArray(kept) && kept.length > 0 && (
          <>
            <p class="meta">{w.keptWhat}</p>
            <ul class="losses">{kept.slice(0, 50).map((each) => <li key={JSON.stringify(each)}>{saidOf(each)}</li>)}</ul>
          </>
        )}
        {!undone && <ProjectLinks one={one} />}
      </Section>}
      {one.losses.length > 0 && (
        <Section title={w.losses}>
          <ul class="losses">{one.losses.map((loss) => <li key={loss} dir="auto">{loss}</li>)}</ul>
        </Section>
      )}
      <Log id={one.id} errors={one.errors} />
    </>
  );
}

function ProjectLinks({ one }: { one: Import }) {
  const keys = [...new Set(Object.values((one.mapping["projects"] ?? {}) as Record<string, string>))];
  return <p>{keys.map((key) => <a key={key} data-in href={`/projects/${key}`}>{w.look(key)}</a>)}</p>;
}

function saidOf(kept: unknown): string {
  if (typeof kept === "string") return kept;
  const { subject, why, reason } = kept as { subject?: string; why?: string; reason?: string };
  return [subject, why ?? reason].filter(Boolean).join(": ") || JSON.stringify(kept);
}

function Log({ id, errors }: { id: number; errors: number }) {
  const [level, setLevel] = useState<LogLine["level"] | "">("");
  const [more, setMore] = useState<{ lines: readonly LogLine[]; next: string | null }>();
  const asked = useAsked(async () => {
    setMore(undefined);
    return server.imports.log({ id, level: level || null, limit: 100 });
  }, id, level, errors);
  const fetchMore = (cursor: string): void => {
    server.imports.log({ id, level: level || null, limit: 100, cursor }).then(
      ({ items, next }) => setMore({ lines: [...(more?.lines ?? []), ...items], next }),
      wordsOf,
    );
  };
  return (
    <Section title={w.log} what={w.logWhat}>
      <div class="bar filters">
        <select aria-label={w.level} value={level} onChange={(event) => setLevel(event.currentTarget.value as typeof level)}>
          <option value="">{w.levels.all}</option>
          {LEVELS.map((one) => <option key={one} value={one}>{w.levels[one]}</option>)}
        </select>
      </div>
      <Told asked={asked}>
        {(page) => {
          const lines = [...page.items, ...(more?.lines ?? [])];
          const next = more ? more.next : page.next;
          return (
            <>
              {lines.length ? <Lines lines={lines} /> : <p class="none">{w.noLines}</p>}
              {next && <button type="button" onClick={() => fetchMore(next)}>{w.moreLines}</button>}
            </>
          );
        }}
      </Told>
    </Section>
  );
}

function Lines({ lines }: { lines: readonly LogLine[] }) {
  return (
    <div class="table" role="region" aria-label={w.log} tabIndex={0}>
      <table>
        <thead><tr><th scope="col">{w.level}</th><th scope="col">{w.place}</th><th scope="col">{w.happened}</th></tr></thead>
        <tbody>
          {lines.map((line, at) => (
            <tr key={at}>
              <td><span class={`tag ${line.level === "error" ? "bad" : line.level === "warning" ? "warn" : ""}`}>{w.levels[line.level]}</span></td>
              <td dir="auto">{line.source}</td>
              <td dir="auto">{line.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
