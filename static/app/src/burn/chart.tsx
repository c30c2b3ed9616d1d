/** A sprint day by day: what is left, or what got done, against all that is in it. */
import { useRef, useState } from "preact/hooks";
import type { SprintDay } from "@kbwork/client";
import { nameOf } from "../issues/marks.tsx";
import { after, daysBetween } from "../sprints/days.ts";
import { day, number, precisely } from "../ui/texts.ts";
import { gathered, grownBy, hasChanges } from "./changes.ts";
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
  /** The day that is looked at, by the pointer or by keys. */
  const [at, setAt] = useState<number>();
  const slider = useRef<HTMLDivElement>(null);
  const looked = at === undefined ? undefined : days[at];
  const looks = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const near = Math.round((((event.clientX - left) / width) * WIDE - LEFT) / ((WIDE - LEFT - RIGHT) / (slots - 1)));
    setAt(near >= 0 && near < days.length ? near : undefined);
  };
  const walk = (event: KeyboardEvent): void => {
    const from = at ?? days.length - 1;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: 0, End: days.length - 1 };
    const to = steps[event.key];
    if (event.key === "Escape" && at !== undefined) setAt(undefined);
    else if (to === undefined) return;
    else setAt(Math.max(0, Math.min(days.length - 1, to)));
    event.preventDefault();
    event.stopPropagation();
  };
  const label = words.drawn(words.ways[way], unit, precisely(last.left), precisely(last.scope));
  const drawn = (
    <svg class="chart" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label} onPointerMove={looks} onPointerDown={looks} onClick={() => slider.current?.focus()}>
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
      {days.map((one, at) => {
        const by = grownBy(days, at);
        if (!by && !hasChanges(one)) return null;
        return <polygon class="change" key={one.date} points={mark(x(at), y(way === "up" ? one.scope : main[at]!), by)} />;
      })}
      {at !== undefined && looked && <line class="looked" x1={x(at)} x2={x(at)} y1={TOP} y2={HIGH - BOTTOM} />}
    </svg>
  );
  const part = at === undefined ? 0 : x(at) / WIDE;
  return (
    <div
      class="looked-at"
      onPointerLeave={(event) => event.pointerType === "mouse" && !event.currentTarget.contains(document.activeElement) && setAt(undefined)}
    >
      {drawn}
      <div
        ref={slider}
        class="days"
        role="slider"
        tabIndex={0}
        aria-label={words.walk}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? days.length - 1) + 1}
        aria-valuetext={spoken(days, at ?? days.length - 1)}
        onFocus={() => setAt(at ?? days.length - 1)}
        onBlur={() => setAt(undefined)}
        onKeyDown={walk}
      />
      {at !== undefined && looked && (
        <div class="of-day" aria-hidden="true" style={part > 0.5 ? { right: `${(1 - part) * 100}%` } : { left: `${part * 100}%` }}>
          <strong>{day(looked.date)}</strong>
          <p>{words.stands(looked.left, looked.scope, grownBy(days, at))}</p>
          <Changes of={looked} />
        </div>
      )}
    </div>
  );
}

/** Over where a line is: upwards where more came in, downwards where more left, else both ways. */
function mark(x: number, y: number, by: number): string {
  if (by > 0) return `${x - 5},${y - 4} ${x + 5},${y - 4} ${x},${y - 13}`;
  if (by < 0) return `${x - 5},${y - 13} ${x + 5},${y - 13} ${x},${y - 4}`;
  return `${x - 5},${y - 9} ${x},${y - 14} ${x + 5},${y - 9} ${x},${y - 4}`;
}

/** Who put in and took out what on a day. */
function Changes({ of, links = false }: { of: SprintDay; links?: boolean }) {
  return (
    <>
      {gathered(of).map(({ by, added, issues }) => (
        <p key={`${added} ${by}`}>
          {words.did(nameOf(by), added)}{" "}
          {issues.map(({ key, title, size }, at) => (
            <span key={`${key} ${at}`}>{at > 0 && ", "}{links ? <a data-in href={`/issues/${key}`} title={title}>{key}</a> : `${key} ${title}`} ({precisely(size)})</span>
          ))}
        </p>
      ))}
      {of.more > 0 && <p>{words.moreChanges(of.more)}</p>}
      {of.hidden > 0 && <p>{words.hiddenChanges(of.hidden)}</p>}
    </>
  );
}

/** A day as it is read out. */
function spoken(days: readonly SprintDay[], at: number): string {
  const one = days[at]!;
  const changes = gathered(one).map(({ by, added, issues }) => `${words.did(nameOf(by), added)} ${issues.map(({ key, title, size }) => `${key} ${title} (${precisely(size)})`).join(", ")}`);
  const rest = [one.more > 0 ? words.moreChanges(one.more) : "", one.hidden > 0 ? words.hiddenChanges(one.hidden) : ""];
  return [`${day(one.date)}: ${words.stands(one.left, one.scope, grownBy(days, at))}`, ...changes, ...rest].filter(Boolean).join("; ");
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
        <thead><tr>{[words.day, words.left, words.done, words.scope, words.ideal, words.changes].map((title) => <th scope="col" key={title}>{title}</th>)}</tr></thead>
        <tbody>
          {days.map((one) => (
            <tr key={one.date}>
              <td>{day(one.date)}</td><td>{precisely(one.left)}</td><td>{precisely(one.scope - one.left)}</td><td>{precisely(one.scope)}</td>
              <td>{number(Math.round(one.ideal * 10) / 10)}</td><td class="keys"><Changes of={one} links /></td>
            </tr>
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
