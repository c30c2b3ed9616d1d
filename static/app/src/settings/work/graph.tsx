/** A workflow as a picture: its lanes in their order, above them the ways forward, below them the ways back. */
import type { Transition, Workflow } from "@kbwork/client";
import { s } from "../texts.ts";

const W = 100;
const H = 34;
const GAP = 26;
const STEP = W + GAP;
const LEVEL = 22;
const MOST_NAME = 14;
const ANY = "*";

interface Way {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

export function Graph({ flow, at, on }: { flow: Workflow; at?: string | undefined; on?: ReadonlySet<string> | undefined }) {
  const lanes = flow.lanes.map((lane) => lane.key);
  const ways = flow.transitions.flatMap((way) => waysOf(way, lanes));
  const any = new Set(flow.transitions.filter((way) => way.from.includes(ANY)).map((way) => way.to));
  const height = (list: readonly Way[]): number => Math.max(0, ...list.map(levelOf)) * LEVEL;
  const above = height(ways.filter((way) => way.to > way.from)) + 30;
  const below = height(ways.filter((way) => way.to < way.from)) + 12;
  const width = lanes.length * STEP - GAP + 4;
  return (
    <div class="graph" role="img" aria-label={s.workflows.picture(flow.lanes.map((lane) => lane.name))} tabIndex={0}>
      <svg width={width} height={above + H + below} viewBox={`-2 0 ${width} ${above + H + below}`} aria-hidden="true">
        {ways.map((way) => <Arrow key={`${way.key} ${way.from} ${way.to}`} way={way} top={above} on={on !== undefined && lanes[way.from] === at && on.has(lanes[way.to]!)} />)}
        {flow.lanes.map((lane, place) => (
          <g key={lane.key} class={lane.key === at ? "on" : ""}>
            {any.has(lane.key) && <AnyWay x={place * STEP + W / 2} top={above} on={on?.has(lane.key) === true} />}
            <rect class="box" x={place * STEP} y={above} width={W} height={H} rx="6" />
            <text x={place * STEP + W / 2} y={above + H / 2 + 4} text-anchor="middle">{short(lane.name)}</text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** The ways between lanes; those from any lane are drawn at the lane that they lead to. */
function waysOf(way: Transition, lanes: readonly string[]): Way[] {
  const to = lanes.indexOf(way.to);
  return way.from
    .filter((from) => from !== ANY && from !== way.to)
    .map((from) => ({ from: lanes.indexOf(from), to, key: way.key }))
    .filter(({ from }) => from >= 0 && to >= 0);
}

/** Neighbours are joined by a straight line, those further away by a bow. */
const levelOf = ({ from, to }: Way): number => (to - from === 1 ? 0 : Math.abs(to - from));

function Arrow({ way, top, on }: { way: Way; top: number; on: boolean }) {
  const { from, to } = way;
  const level = levelOf(way) * LEVEL;
  const tone = on ? " on" : "";
  if (!level) {
    const [x, y] = [to * STEP, top + H / 2];
    return (
      <>
        <path class={`way${tone}`} d={`M${x - GAP} ${y}H${x - 6}`} />
        <path class={`head${tone}`} d={`M${x} ${y}l-7 -4v8Z`} />
      </>
    );
  }
  const up = to > from;
  const y = up ? top : top + H;
  const bow = up ? y - level : y + level;
  const [start, end] = [from * STEP + W / 2 + (up ? 12 : -12), to * STEP + W / 2 - (up ? 12 : -12)];
  return (
    <>
      <path class={`way${tone}`} d={`M${start} ${y}C${start} ${bow} ${end} ${bow} ${end} ${y + (up ? -6 : 6)}`} />
      <path class={`head${tone}`} d={`M${end} ${y}l-4 ${up ? -7 : 7}h8Z`} />
    </>
  );
}

function AnyWay({ x, top, on }: { x: number; top: number; on: boolean }) {
  const tone = on ? " on" : "";
  return (
    <>
      <path class={`way any${tone}`} d={`M${x} ${top - 24}V${top - 6}`} />
      <path class={`head${tone}`} d={`M${x} ${top}l-4 -7h8Z`} />
    </>
  );
}

const short = (name: string): string => (name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name);
