/** A sprint day by day: what is left, or what got done, against all that is in it. */
import type { SprintDay } from "@kbwork/client";
import { after, daysBetween } from "../sprints/days.ts";
import { day, number, precisely } from "../ui/texts.ts";
import { type Case, type Forecast } from "./forecast.ts";
import { words } from "./texts.ts";

export type Way = "down" | "up";

const WIDE = 640;
const HIGH = 220;
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 16, 14, 24];
/** A forecast makes a chart at most so many times as long. */
const MOST_LONGER = 2;
const CASES: readonly Case[] = ["earliest", "likely", "latest"];
/** So many days have their names below. */
const MOST_NAMED = 6;

interface ChartProps {
  readonly days: readonly SprintDay[];
  readonly way: Way;
  /** Its last day, `YYYY-MM-DD`. */
  readonly end: string | null;
  readonly unit: string;
  readonly forecast: Forecast | undefined;
}

export function Chart({ days, way, end, unit, forecast }: ChartProps) {
  const [first, last] = [days[0]!, days.at(-1)!];
  const planned = Math.max(days.length, end ? daysBetween(first.date, end) + 1 : 0, 2);
  const slots = Math.max(planned, Math.min(days.length + (forecast?.days.latest ?? 0), planned * MOST_LONGER));
  const most = highest(Math.max(...days.map(({ scope, ideal }) => Math.max(scope, ideal)), 1));
  const x = (at: number): number => LEFT + (at / (slots - 1)) * (WIDE - LEFT - RIGHT);
  const y = (value: number): number => HIGH - BOTTOM - (value / most) * (HIGH - TOP - BOTTOM);
  const line = (values: readonly number[]): string => values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  /** Where a line from what is left now to nothing leaves the chart, or ends. */
  const ahead = (count: number): string => {
    const part = Math.min(1, (slots - days.length) / count);
    const left = last.left * (1 - part);
    return `${x(days.length - 1 + count * part).toFixed(1)},${y(way === "down" ? left : last.scope - left).toFixed(1)}`;
  };
  const main = days.map(({ left, scope }) => (way === "down" ? left : scope - left));
  const step = Math.ceil(slots / MOST_NAMED);
  const label = words.drawn(words.ways[way], unit, precisely(last.left), precisely(last.scope));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      {[0, most / 2, most].map((value) => (
        <g key={value}>
          <line class="grid" x1={LEFT} x2={WIDE - RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">{precisely(value)}</text>
        </g>
      ))}
      {Array.from({ length: Math.ceil(slots / step) }, (_, at) => at * step).map((at) => (
        <text key={at} x={x(at)} y={HIGH - 6} text-anchor={at === 0 ? "start" : x(at) > WIDE - 40 ? "end" : "middle"}>{day(after(first.date, at))}</text>
      ))}
      {way === "up" && <polyline class="scope-line" points={line(days.map(({ scope }) => scope))} />}
      {way === "down" && <polyline class="ideal" points={`${x(0)},${y(first.ideal)} ${x(planned - 1)},${y(0)}`} />}
      <polyline class={way === "down" ? "left" : "done-line"} points={line(main)} />
      {forecast && CASES.map((name) => (
        <polyline key={name} class={`ahead ${name}`} points={`${x(days.length - 1).toFixed(1)},${y(main.at(-1)!).toFixed(1)} ${ahead(forecast.days[name])}`}>
          <title>{words.cases[name](day(forecast.dates[name]))}</title>
        </polyline>
      ))}
      {days.length === 1 && <circle cx={x(0)} cy={y(main[0]!)} r="3" fill="currentColor" />}
      {days.map(({ date, scope }, at) => {
        const by = at ? scope - days[at - 1]!.scope : 0;
        if (!by) return null;
        const [cx, cy] = [x(at), y(way === "up" ? scope : main[at]!)];
        const shape = by > 0 ? `${cx - 5},${cy - 4} ${cx + 5},${cy - 4} ${cx},${cy - 13}` : `${cx - 5},${cy - 13} ${cx + 5},${cy - 13} ${cx},${cy - 4}`;
        return <polygon class="change" key={date} points={shape}><title>{words.changed(by, day(date))}</title></polygon>;
      })}
    </svg>
  );
}

/** The lines by their names. */
export function Legend({ way, hasForecast }: { way: Way; hasForecast: boolean }) {
  const lines = way === "down" ? ([["left", words.left], ["ideal", words.ideal]] as const) : ([["done-line", words.done], ["scope-line", words.scope]] as const);
  const drawn = hasForecast ? ([...lines, ["ahead likely", words.forecast]] as const) : lines;
  return (
    <figcaption class="meta">
      {drawn.map(([name, title]) => (
        <span key={name}>
          <svg width="22" height="8" aria-hidden="true"><polyline class={name} points="1,4 21,4" /></svg>
          {title}
        </span>
      ))}
    </figcaption>
  );
}

export function DayTable({ days }: { days: readonly SprintDay[] }) {
  return (
    <details>
      <summary>{words.table}</summary>
      <table>
        <thead><tr>{[words.day, words.left, words.done, words.scope, words.ideal].map((title) => <th scope="col" key={title}>{title}</th>)}</tr></thead>
        <tbody>
          {days.map(({ date, left, scope, ideal }) => (
            <tr key={date}><td>{day(date)}</td><td>{precisely(left)}</td><td>{precisely(scope - left)}</td><td>{precisely(scope)}</td><td>{number(Math.round(ideal * 10) / 10)}</td></tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The next number above that halves well. */
export function highest(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * size >= value) ?? 10) * size;
}
