/** Things that stand in an order of their own: a step up, a step down. */
import { w } from "./texts.ts";

export interface Placed {
  readonly id: number;
  readonly name: string;
  readonly position: number;
}

interface StepsProps<T extends Placed> {
  readonly of: T;
  readonly all: readonly T[];
  readonly onMove: (one: T, position: number) => void;
}

export function Steps<T extends Placed>({ of, all, onMove }: StepsProps<T>) {
  const at = all.findIndex(({ id }) => id === of.id);
  const step = (by: -1 | 1): void => onMove(of, between(all[at + by]!, all[at + 2 * by], by));
  return (
    <span class="bar">
      <button type="button" class="mini" disabled={at <= 0} aria-label={w.up(of.name)} onClick={() => step(-1)}>↑</button>
      <button type="button" class="mini" disabled={at >= all.length - 1} aria-label={w.down(of.name)} onClick={() => step(1)}>↓</button>
    </span>
  );
}

/** Behind the one that it goes past, before the next one that way. */
function between(past: Placed, next: Placed | undefined, by: -1 | 1): number {
  return next ? (past.position + next.position) / 2 : past.position + by;
}
