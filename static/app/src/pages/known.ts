/** What of spaces and pages was fetched, and fetching it: these are too many to be kept as issues are. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type Comment, type Page, type PageBacklink, type PageSummary, type PageTask, Problem, type Space, type TreeNode } from "@kbwork/client";
import * as disk from "../store/disk.ts";
import { resets } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { may, me, offlineSince } from "../store/session.ts";
import { seeAs } from "../store/stars.ts";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";

export interface Found {
  readonly page: Page;
  readonly comments: readonly Comment[];
  readonly backlinks: readonly PageBacklink[];
  /** Right below it. */
  readonly children: readonly PageSummary[];
  /** Lines of its text with a box. */
  readonly tasks: readonly PageTask[];
}

/** Levels of a tree. */
const DEEPEST = 20;
const MOST_KEPT = 100;
const RETRY_MS = 3_000;

/** All that one sees, archived ones too, by name; undefined: not here yet. */
export const spaces = signal<readonly Space[] | undefined>(undefined);
/** By the key of the space, the pages at its top with all that stands below them. */
export const trees = signal<ReadonlyMap<string, readonly TreeNode[]>>(new Map());
/** By their ids. */
export const found = signal<ReadonlyMap<string, Found>>(new Map());
/** Ids of pages by the addresses that lead to them, such as `HAND/rules`. */
const ids = new Map<string, string>();

/** Moves when a page, a space or what is said on one may be another. */
export const moved = signal(0);
let asked = 0;
const came = new Map<string, number>();
/** How many changes are under way of what was fetched by a name. */
const changing = new Map<string, number>();

export function spaceOf(key: string): Space | undefined {
  return spaces.value?.find((one) => one.key === key);
}

export function byAddress(address: string): Found | undefined {
  return found.value.get(ids.get(address) ?? address);
}

export async function fetchSpaces(): Promise<void> {
  await fresh(
    "spaces",
    () => server.spaces.list({ archived: true }),
    (all) => {
      spaces.value = all;
      for (const { key, name, icon } of all) seeAs(`space:${key}`, name, icon);
    },
    () => spaces.peek() !== undefined,
  );
}

export async function fetchTree(key: string): Promise<void> {
  await fresh(
    `tree:${key}`,
    () => server.spaces.tree({ key, depth: DEEPEST }),
    (nodes) => {
      trees.value = new Map(trees.peek()).set(key, nodes);
    },
    () => trees.peek().has(key),
  );
}

/** Show a tree as it will be when `act` has made it so; what was asked for before that may say otherwise, and is not looked at. */
export async function changeTree(key: string, nodes: readonly TreeNode[], act: () => Promise<void>): Promise<void> {
  const name = `tree:${key}`;
  trees.value = new Map(trees.peek()).set(key, nodes);
  changing.set(name, (changing.get(name) ?? 0) + 1);
  try {
    await act();
  } finally {
    changing.set(name, changing.get(name)! - 1);
    came.set(name, ++asked);
    await again(fetchTree(key));
  }
}

/** A page by its id, or by an address such as `HAND/rules`. */
export async function fetchPage(address: string): Promise<void> {
  try {
    await fresh(`page:${address}`, () => wholeOf(address), (whole) => put(address, whole), () => byAddress(address) !== undefined);
  } catch (error) {
    if (isGone(error)) forgetPage(ids.get(address) ?? address); // somebody deleted it, or it is not one's own to see any more
    throw error;
  }
}

async function wholeOf(address: string): Promise<Found> {
  const known = ids.get(address) ?? address;
  const id = known.includes("/") ? (await server.pages.get({ id: known })).id : known;
  const [page, comments, backlinks, children, tasks] = await server.batch([
    ["pages.get", { id }],
    ["comments.list", { subject: `page:${id}` }],
    ["pages.backlinks", { id }],
    ["pages.children", { id }],
    ["pages.tasks", { page: id }],
  ]);
  return { page, comments, backlinks, children, tasks };
}

function put(address: string, whole: Found): void {
  const { id, title, icon } = whole.page;
  seeAs(`page:${id}`, title, icon);
  ids.set(address, id);
  const next = new Map(found.peek());
  next.delete(id);
  next.set(id, whole);
  for (const one of next.keys()) {
    if (next.size <= MOST_KEPT) break;
    next.delete(one);
  }
  found.value = next;
}

/** Something of a page is known to be otherwise already. */
export function show(id: string, part: Partial<Found>): void {
  const whole = found.peek().get(id);
  if (whole) found.value = new Map(found.peek()).set(id, { ...whole, ...part });
}

export function forgetPage(id: string): void {
  const next = new Map(found.peek());
  next.delete(id);
  found.value = next;
}

/** What the server says, or what it said last where it does not answer and nothing of it is here. */
async function fresh<T>(name: string, ask: () => Promise<T>, take: (told: T) => void, isHere: () => boolean): Promise<void> {
  const turn = ++asked;
  try {
    const told = await ask();
    if (turn < (came.get(name) ?? 0) || changing.get(name)) return; // what was asked for later came sooner, or will
    came.set(name, turn);
    take(told);
    if (me.peek()) void disk.keepSeen(name, told); // else it came behind the end
  } catch (error) {
    const kept = away(error) && !isHere() ? await disk.seen(name) : undefined;
    if (kept === undefined) throw error;
    take(kept as T);
  }
}

/** Behind something that was done: where the server does not answer any more, it comes when it does. */
export async function again(...fetches: readonly Promise<void>[]): Promise<void> {
  await Promise.all(fetches.map((one) => one.catch((error: unknown) => away(error) || error instanceof Problem || reportError(error))));
}

/** Fetch something, and again whenever it may be another. Answers why there is none. */
export function useFetched(fetch: (() => Promise<void>) | undefined, of: string): string | undefined {
  const [wrong, setWrong] = useState<{ of: string; why: string }>();
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    if (!fetch) return;
    let late = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void =>
      void fetch().then(
        () => late || setWrong(undefined),
        (error: unknown) => {
          if (late) return;
          if (away(error)) timer = setTimeout(ask, RETRY_MS);
          setWrong({ of, why: away(error) ? t.textAway : isGone(error) ? words.noPage : (error as Error).message });
        },
      );
    ask();
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [of, isAway, resets.value, moved.value]);
  return wrong?.of === of ? wrong.why : undefined;
}

export function isGone(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

/** Whether one may do that much: each level holds those before it. */
export function allows(level: Page["my_level"], wanted: Page["my_level"]): boolean {
  const LEVELS = ["view", "comment", "edit", "manage"] as const;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

/** Whether one changes a page now. */
export function edits({ my_level, locked, state, space }: Pick<Page, "my_level" | "locked" | "state" | "space">): boolean {
  const isOpen = state !== "archived" && spaceOf(space)?.archived_at == null;
  return may("pages:write") && isOpen && allows(my_level, locked ? "manage" : "edit");
}
