/** What two people made of the settings of a board at once: field by field, column by column and lane by lane. */
import { words } from "./texts.ts";

export interface Column {
  readonly id: string | undefined;
  readonly name: string;
  readonly lanes: readonly string[];
  readonly limit: string;
  readonly hard: boolean;
}

export interface Filter {
  readonly id: string | undefined;
  readonly name: string;
  readonly tql: string;
}

export interface Written {
  readonly name: string;
  readonly tql: string;
  readonly swimlanes: string;
  readonly color: string;
  /** Fields that its cards show; none: the usual ones. */
  readonly cards: readonly string[];
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
}

interface Merged {
  readonly written: Written;
  /** What both changed, in words: it stays as it was written here. */
  readonly both: readonly string[];
}

type Part = Column | Filter;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** `mine` as it is written here, over what others made of `base` meanwhile. */
export function merge(base: Written, mine: Written, theirs: Written): Merged {
  const both: string[] = [];
  const pick = <T,>(what: string, was: T | undefined, here: T, there: T, said = String(there)): T => {
    if (same(here, was)) return there;
    if (!same(there, was) && !same(there, here)) both.push(words.bothChanged(what, said || words.nothing));
    return here;
  };
  const partsOf = <T extends Part>(was: readonly T[], here: readonly T[], there: readonly T[], one: (was: T | undefined, here: T, there: T) => T): T[] => {
    const find = (all: readonly T[], id: string | undefined): T | undefined => (id === undefined ? undefined : all.find((part) => part.id === id));
    const kept = here.flatMap((part): T[] => {
      const [before, now] = [find(was, part.id), find(there, part.id)];
      if (part.id === undefined) return [part];
      if (now) return [one(before, part, now)];
      if (!before || same(part, before)) return [];
      both.push(words.theyRemoved(part.name));
      return [{ ...part, id: undefined }];
    });
    const gone = was.filter((part) => !find(here, part.id));
    for (const part of gone) {
      const now = find(there, part.id);
      if (now && !same(now, part)) both.push(words.theyChanged(now.name));
    }
    const came = there.filter((part) => !find(was, part.id) && !find(here, part.id));
    return inOrder(was, kept, there, came);
  };
  const columns = partsOf(base.columns, mine.columns, theirs.columns, (was, here, there) => ({
    ...here,
    name: pick(words.column(there.name), was?.name, here.name, there.name),
    limit: pick(words.limitOf(there.name), was?.limit, here.limit, there.limit),
    hard: was && here.hard === was.hard ? there.hard : here.hard,
  }));
  const written: Written = {
    name: pick(words.name, base.name, mine.name, theirs.name),
    tql: pick(words.query, base.tql, mine.tql, theirs.tql),
    swimlanes: pick(words.swimlanes, base.swimlanes, mine.swimlanes, theirs.swimlanes),
    color: pick(words.color, base.color, mine.color, theirs.color),
    cards: pick(words.cards, base.cards, mine.cards, theirs.cards, theirs.cards.join(", ")),
    columns: withLanes(columns, base.columns, mine.columns, theirs.columns, (lane, there) => both.push(words.bothMoved(lane, there))),
    filters: partsOf(base.filters, mine.filters, theirs.filters, (was, here, there) => ({
      ...here,
      name: pick(words.filter(there.name), was?.name, here.name, there.name),
      tql: pick(words.filter(there.name), was?.tql, here.tql, there.tql),
    })),
  };
  return { written, both: [...new Set(both)] };
}

/** As others arranged them where nothing was arranged here; what came on either side stands behind what it stood behind. */
function inOrder<T extends Part>(was: readonly T[], kept: readonly T[], there: readonly T[], came: readonly T[]): T[] {
  const ids = (all: readonly T[]): (string | undefined)[] => all.flatMap(({ id }) => (id !== undefined && was.some((part) => part.id === id) ? [id] : []));
  const left = (all: readonly T[]): (string | undefined)[] => ids(all).filter((id) => kept.some((part) => part.id === id));
  if (!same(left(kept), left(was))) return came.reduce((all, part) => behind(all, part, there), [...kept]);
  const arranged = there.flatMap((part) => kept.find(({ id }) => id === part.id) ?? (came.includes(part) ? [part] : []));
  return kept.filter((part) => !arranged.includes(part)).reduce((all, part) => behind(all, part, kept), arranged);
}

function behind<T extends Part>(all: readonly T[], part: T, order: readonly T[]): T[] {
  const before = order.slice(0, order.indexOf(part)).findLast((one) => all.some((it) => it === one || (it.id !== undefined && it.id === one.id)));
  const at = before ? all.findIndex((it) => it === before || (it.id !== undefined && it.id === before.id)) + 1 : 0;
  return all.toSpliced(at, 0, part);
}

/** A lane stands in one column: it goes where somebody put it, and else stays. */
function withLanes(columns: readonly Column[], base: readonly Column[], mine: readonly Column[], theirs: readonly Column[], onBoth: (lane: string, there: string) => void): Column[] {
  const holder = (all: readonly Column[], lane: string): Column | undefined => all.find(({ lanes }) => lanes.includes(lane));
  const known = (column: Column | undefined): Column | undefined => columns.find((one) => one === column || (one.id !== undefined && one.id === column?.id));
  /** One that others removed is new again. */
  const knownHere = (column: Column | undefined): Column | undefined => known(column) ?? columns.find(({ id, name }) => id === undefined && name === column?.name);
  const all = new Set([...mine, ...theirs].flatMap(({ lanes }) => lanes));
  const places = new Map([...all].map((lane) => {
    const [was, here, there] = [known(holder(base, lane)), knownHere(holder(mine, lane)), known(holder(theirs, lane))];
    if (was === here) return [lane, there];
    if (there !== was && there !== here) onBoth(lane, there?.name ?? words.nothing);
    return [lane, here];
  }));
  return columns.map((column) => {
    const own = [...mine.filter((one) => knownHere(one) === column), ...theirs.filter((one) => known(one) === column)].flatMap(({ lanes }) => lanes);
    return { ...column, lanes: [...new Set([...own, ...all])].filter((lane) => places.get(lane) === column) };
  });
}
