/** What got done in the sprints before, beside what was in them. */
import type { Sprint } from "@kbwork/client";
import { precisely } from "../ui/texts.ts";
import { highest } from "./chart.tsx";
import { words } from "./texts.ts";

const WIDE = 640;
const HIGH = 220;
const [LEFT, TOP, BOTTOM] = [40, 18, 24];
/** Letters of a name below its bar. */
const MOST_LETTERS = 12;

interface Bar {
  readonly id: number;
  readonly name: string;
  readonly done: number;
  readonly all: number;
  readonly added: number;
  readonly removed: number;
}

/** The earliest first. */
export function Velocity({ sprints }: { sprints: readonly Sprint[] }) {
  const byPoints = sprints.some(({ counts }) => counts.estimate > 0);
  const unit = byPoints ? words.points : words.issues;
  const bars = sprints.map<Bar>(({ id, name, counts: { issues, done, estimate, estimate_done, added, removed } }) => ({
    id, name, added, removed, done: byPoints ? estimate_done : done, all: byPoints ? estimate : issues,
  }));
  if (!bars.length) return <p class="meta">{words.noVelocity}</p>;
  const mean = bars.reduce((all, bar) => all + bar.done, 0) / bars.length;
  return (
    <>
      <Bars bars={bars} mean={mean} unit={unit} />
      <p class="meta">{words.mean(mean, unit)}</p>
      <details>
        <summary>{words.table}</summary>
        <table>
          <thead><tr>{[words.sprint, words.done, words.held, words.added, words.removed].map((title) => <th scope="col" key={title}>{title}</th>)}</tr></thead>
          <tbody>
            {bars.map(({ id, name, done, all, added, removed }) => (
              <tr key={id}>
                <td dir="auto"><a data-in href={`/sprints/${id}`}>{name}</a></td>
                {[done, all, added, removed].map((value, at) => <td key={at}>{precisely(value)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

function Bars({ bars, mean, unit }: { bars: readonly Bar[]; mean: number; unit: string }) {
  const most = highest(Math.max(...bars.map(({ all, done }) => Math.max(all, done)), 1));
  const y = (value: number): number => HIGH - BOTTOM - (value / most) * (HIGH - TOP - BOTTOM);
  const room = (WIDE - LEFT) / bars.length;
  const wide = Math.min(48, room * 0.6);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={words.bars(unit, bars.map(({ name, done, all }) => words.ofAll(name, done, all)))}>
      {[0, most / 2, most].map((value) => (
        <g key={value}>
          <line class="grid" x1={LEFT} x2={WIDE} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">{precisely(value)}</text>
        </g>
      ))}
      {bars.map(({ id, name, done, all }, at) => {
        const left = LEFT + room * at + (room - wide) / 2;
        return (
          <g key={id}>
            <title>{words.ofAll(name, done, all)}</title>
            <rect class="done-bar" x={left} width={wide} y={y(done)} height={y(0) - y(done)} />
            <rect class="held-bar" x={left} width={wide} y={y(all)} height={y(0) - y(all)} />
            <text x={left + wide / 2} y={y(Math.max(done, all)) - 5} text-anchor="middle">{precisely(done)}</text>
            <text x={left + wide / 2} y={HIGH - 6} text-anchor="middle">{name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name}</text>
          </g>
        );
      })}
      <line class="mean" x1={LEFT} x2={WIDE} y1={y(mean)} y2={y(mean)} />
    </svg>
  );
}
