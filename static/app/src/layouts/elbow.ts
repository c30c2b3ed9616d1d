/** A line from the end of a bar to the start of another one, along rows and between them. */

interface Point {
  readonly x: number;
  readonly y: number;
}

/** So far it goes straight on before it turns, and behind its last turn. */
const OUT_PX = 8;
const TIP = { long: 6, half: 4 } as const;

/** As paths of SVG have it. `row`: how high a row is; a line that has to go back does so between two rows. */
export function elbow(from: Point, to: Point, row: number): string {
  const [out, into] = [from.x + OUT_PX, to.x - OUT_PX];
  if (out <= into) return `M${from.x} ${from.y}H${out}V${to.y}H${to.x}`;
  const between = to.y + (to.y > from.y ? -row : row) / 2;
  return `M${from.x} ${from.y}H${out}V${between}H${into}V${to.y}H${to.x}`;
}

export function tip({ x, y }: Point): string {
  return `M${x} ${y}l${-TIP.long} ${-TIP.half}v${2 * TIP.half}z`;
}
