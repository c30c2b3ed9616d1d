/** Boards as the server tells of them: what stands on one, in which column and row, follows the issues that are kept here. */
import { batch, computed, effect, signal } from "@preact/signals";
import { type Board, type BoardColumn, type BoardView, Problem } from "@kbwork/client";
import { cursor, put as putCursor, putNowhere, selectNone } from "../issues/cursor.ts";
import { leads } from "../issues/edits.ts";
import { listing } from "../issues/listed.ts";
import { shown } from "../issues/query.ts";
import { byRank } from "../issues/sorting.ts";
import { change, unsent } from "../store/changes.ts";
import type { Issue } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { myId, offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { say } from "../ui/notes.tsx";
import { spoken } from "../ui/spoken.ts";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";

/** What changes together is asked for once. */
const CALM_MS = 400;
/** So many of a column come at first, and more when somebody asks for them. */
const PAGE = 50;
/** Beyond so many of a column the server does not tell in which row they are. */
export const MOST_BY_ROW = 200;

export const boards = signal<readonly Board[] | undefined>(undefined);
/** The one that one looks at. */
const at = signal<number | undefined>(undefined);
export const board = signal<Board | undefined>(undefined);
const answer = signal<BoardView | undefined>(undefined);
/** Ids of its quick filters that narrow it. */
export const filters = signal<readonly string[]>([]);
/** Why something could not be asked. */
export const wrong = signal<string | undefined>(undefined);
/** Rows that issues were put into and the server has not told yet. */
const put = signal<ReadonlyMap<number, unknown>>(new Map());
/** What was moved last: it stays in sight, also where the server tells only of those before it. */
const moved = signal<number | undefined>(undefined);
/** That one, as long as the cursor is on it and the answer is without it. */
const beyond = computed(() => {
  const id = moved.value;
  const told = answer.value?.columns.some(({ issues }) => issues.some((issue) => issue.id === id));
  return id !== undefined && cursor.value === id && told === false ? [id] : [];
});
/** So many of a column are wanted, where that is more than come at first. */
const deep = new Map<string, number>();
/** Which question is the last that was asked, and the last of which the answer is shown: an older one comes too late. */
let [turns, shownTurn] = [0, 0];

export async function fetchBoards(): Promise<void> {
  try {
    boards.value = await server.boards.list({});
  } catch (error) {
    if (!away(error) && !(error instanceof Problem)) throw error;
    wrong.value = error instanceof Problem ? error.detail : words.away;
  }
}

/** Look at another board; what is known of the one before is forgotten. */
export function enter(id: number): void {
  if (at.peek() === id) return;
  batch(() => {
    [board.value, answer.value, wrong.value, filters.value, put.value] = [undefined, undefined, undefined, [], new Map()];
    moved.value = undefined;
    deep.clear();
    selectNone();
    putNowhere();
    at.value = id;
  });
}

/** Follow it as long as it is shown. Answers what ends it. */
export function follow(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = "";
  const asking = effect(() => {
    const id = at.value;
    void tables.issue.moved.value;
    void offlineSince.value;
    const now = [id, ...filters.value].join();
    clearTimeout(timer);
    if (id !== undefined) timer = setTimeout(() => void fetchBoard(id), now === before ? CALM_MS : 0);
    before = now;
  });
  const showing = effect(() => {
    const told = answer.value?.columns.flatMap(({ issues }) => issues.map((issue) => issue.id));
    const ids = told && [...told, ...beyond.value];
    listing.value = { name: String(at.value ?? ""), places: ids ? new Map(ids.map((id, place) => [id, place])) : null, Beside: () => null, empty: words.empty, fixed: true };
  });
  // Others may have arranged it otherwise.
  const back = (): void => {
    if (at.peek() !== undefined) void fetchBoard(at.peek()!);
  };
  addEventListener("focus", back);
  return () => {
    clearTimeout(timer);
    removeEventListener("focus", back);
    asking();
    showing();
    batch(() => {
      at.value = undefined;
      board.value = undefined;
      answer.value = undefined;
      listing.value = undefined;
    });
  };
}

export async function fetchBoard(id: number): Promise<void> {
  try {
    await load(id);
  } catch (error) {
    if (!away(error) && !(error instanceof Problem)) throw error;
    if (at.peek() !== id) return;
    // What was there stays where the server does not answer.
    if (!away(error)) wrong.value = (error as Problem).detail || words.noBoard;
    else if (!board.peek()) wrong.value = words.away;
  }
}

async function load(id: number): Promise<void> {
  const asked = filters.peek();
  const turn = ++turns;
  const [before, open] = [put.peek(), unsent.peek()];
  const [found, view] = await Promise.all([server.boards.get({ id }), viewOf(id, asked)]);
  if (at.peek() !== id || filters.peek() !== asked || turn < shownTurn) return;
  shownTurn = turn;
  // Of what was put there meanwhile, or was on its way, this answer knows nothing.
  const still = [...put.peek()].filter(([issue, to]) => open.has(issue) || before.get(issue) !== to);
  batch(() => {
    [board.value, answer.value, wrong.value, put.value] = [found, view, undefined, new Map(still)];
  });
}

/** As much of each column as somebody wants to see; of rows the server tells with the first of a column alone. */
async function viewOf(id: number, filters: readonly string[]): Promise<BoardView> {
  const most = Math.min(MOST_BY_ROW, Math.max(PAGE, ...deep.values()));
  const view = await server.boards.view({ id, filters, per_column: most });
  const columns = await Promise.all(view.columns.map(async (first) => {
    let whole = first;
    while (whole.next !== null && whole.issues.length < (deep.get(first.id) ?? 0)) {
      const { columns: [more] } = await server.boards.view({ id, filters, per_column: most, cursor: whole.next });
      if (!more?.issues.length) break;
      whole = { ...more, issues: [...whole.issues, ...more.issues] };
    }
    return whole;
  }));
  return { ...view, columns };
}

/** What of a column is behind what is here. */
export async function fetchMore(column: string): Promise<void> {
  const id = at.peek();
  const here = answer.peek()?.columns.find((one) => one.id === column);
  if (id === undefined || !here) return;
  deep.set(column, here.issues.length + PAGE);
  await load(id).catch(refused);
}

function refused(error: unknown): void {
  if (!away(error) && !(error instanceof Problem)) throw error;
  say(away(error) ? t.noAnswer : (error as Problem).detail);
}

export interface Stack {
  readonly column: BoardColumn;
  readonly issues: readonly Issue[];
  /** Of all that there are, also behind what is here. */
  readonly count: number;
  readonly more: boolean;
}

/** Each where its lane says, so that a change is seen at once. */
export const stacks = computed<readonly Stack[]>(() => {
  const told = answer.value?.columns;
  if (!board.value || !told) return [];
  const fits = new Set(shown.value.map(({ id }) => id));
  // One that moved between two answers is in both.
  const ids = new Set(told.flatMap(({ issues }) => issues.map(({ id }) => id)));
  const last = beyond.value;
  const all = [...ids, ...last].flatMap((id) => tables.issue.get(id) ?? []);
  const projects = [...new Set(all.map(({ project }) => project))];
  const order = (one: Issue, other: Issue): number => projects.indexOf(one.project) - projects.indexOf(other.project) || byRank(one, other);
  void tables.issue.moved.value;
  return board.value.columns.map((column) => {
    const page = told.find((one) => one.id === column.id);
    const here = all.filter(({ lane }) => column.lanes.includes(lane));
    const kept = page?.issues.filter(({ id }) => tables.issue.get(id)).length ?? 0;
    const count = (page?.count ?? 0) + here.filter(({ id }) => !last.includes(id)).length - kept;
    return { column, issues: here.filter(({ id }) => fits.has(id)).sort(order), count, more: page?.next !== null && page !== undefined };
  });
});

export interface BoardRow {
  /** JSON of its value. */
  readonly key: string;
  readonly value: unknown;
  readonly ids: ReadonlySet<number>;
}

/** None: the board has no rows. */
export const rows = computed<readonly BoardRow[]>(() => {
  const { columns = [], swimlanes = [] } = answer.value ?? {};
  const byKey = new Map(columns.flatMap(({ issues }) => issues.map(({ key, id }) => [key, id] as const)));
  return swimlanes.map(({ value, columns: cells }) => {
    const key = JSON.stringify(value);
    const told = cells.flatMap(({ keys }) => keys.flatMap((one) => byKey.get(one) ?? []));
    const moved = [...put.value].filter(([, to]) => JSON.stringify(to) === key).map(([id]) => id);
    return { key, value, ids: new Set([...told.filter((id) => !put.value.has(id)), ...moved]) };
  });
});

/** Why each column would refuse an issue that is dragged, as the server says it. */
export async function refusals(issue: Issue): Promise<ReadonlyMap<string, string>> {
  const id = at.peek();
  const others = board.peek()?.columns.filter(({ lanes }) => !lanes.includes(issue.lane)) ?? [];
  if (id === undefined) return new Map();
  const asked = others.map(async ({ id: column }) => [column, (await server.boards.move({ id, key: issue.key, column, dry_run: true })).blocked] as const);
  const told = await Promise.all(asked);
  return new Map(told.flatMap(([column, blocked]) => (blocked === null ? [] : [[column, blocked] as const])));
}

/** Into a column before another issue, or at its end; `row`: and into a row. */
export function drop(issue: Issue, column: string, before: number | undefined, row?: BoardRow): void {
  const stack = stacks.peek().find((one) => one.column.id === column);
  const id = at.peek();
  if (!stack || id === undefined) return;
  const others = stack.issues.filter((one) => one.project === issue.project && one.id !== issue.id && (!row || row.ids.has(one.id)));
  const found = others.findIndex((one) => one.id === before);
  const place = found < 0 ? others.length : found; // of another project there is no order
  const [last, next] = [others[place - 1], others[place]];
  const { lanes } = stack.column;
  const open = lanes.flatMap((key) => tables.lane.get(key) ?? []).find((lane) => leads(issue, lane));
  const lane = lanes.includes(issue.lane) ? issue.lane : (open?.key ?? lanes[0]!);
  const enters = row !== undefined && !row.ids.has(issue.id);
  if (enters) put.value = new Map(put.peek()).set(issue.id, row.value);
  const over = { lane, rank: last ? `${last.rank}!` : next ? `${next.rank.slice(0, -1)}!` : issue.rank };
  putCursor(issue.id);
  if (!enters && over.lane === issue.lane && over.rank === issue.rank) return;
  moved.value = issue.id;
  const input = { id, key: issue.key, column, after: last?.key ?? null, ...(enters && { swimlane: row.value === null ? "" : String(row.value) }) };
  spoken.value = t.standsAt(issue.key, stack.column.name, place + 1, others.length + 1);
  change(issue, t.changed(lane === issue.lane ? words.place : t.status, issue.key), over, "boards.move", input);
}

export const mayKeep = (one: Board): boolean => one.can_edit || one.owner === myId.value;
