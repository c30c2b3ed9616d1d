/** The lines from what blocks to what it blocks, below the bars. */
import type { ReadonlySignal } from "@preact/signals";
import { rowPx } from "../ui/density.ts";
import { widthOf, xOf } from "./bars.ts";
import { barNow, isEarly, type Tie, tiesOf } from "./blocking.ts";
import { elbow, tip } from "./elbow.ts";

interface TiesProps {
  /** The first of the rows that are there, among all. */
  readonly first: number;
  /** The issues in them. */
  readonly ids: ReadonlySignal<readonly number[]>;
}

/** They are told in words by the rows. */
export function Ties({ first, ids }: TiesProps) {
  return (
    <svg class="ties" width="1" height="1" style={{ top: `${first * rowPx.value}px` }} aria-hidden="true">
      {tiesOf(ids.value).map((tie) => <Line key={`${tie.blocker.issue.id} ${tie.blocked.issue.id}`} tie={tie} first={first} />)}
    </svg>
  );
}

function Line({ tie, first }: { tie: Tie; first: number }) {
  const { blocker, blocked } = tie;
  const [before, behind] = [barNow(blocker.issue), barNow(blocked.issue)];
  if (!before || !behind) return null;
  const yOf = (at: number): number => (at - first + 0.5) * rowPx.value;
  const from = { x: xOf(before.from) + widthOf(before), y: yOf(blocker.at) };
  const to = { x: xOf(behind.from), y: yOf(blocked.at) };
  return (
    <g class={isEarly(tie) ? "early" : ""}>
      <path d={elbow(from, to, rowPx.value)} />
      <path class="tip" d={tip(to)} />
    </g>
  );
}
