/** The entries of the inbox that are shown, and what is done with them: at once here, then on the server. */
import { signal } from "@preact/signals";
import type { Notification } from "@kbwork/client";
import { refreshInbox, unread } from "../store/inbox.ts";
import { away, server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";

export type State = "unread" | "all" | "snoozed" | "archived";

export const state = signal<State>("unread");
export const entries = signal<readonly Notification[] | undefined>(undefined);
export const next = signal<string | null>(null);
export const wrong = signal(false);
/** The entry that keys act on. */
export const cursor = signal<number | undefined>(undefined);
/** The one that was looked at last, though it may be closed again. */
let looked: number | undefined;

const PAGE = 50;
let asked = 0;
/** So many more are asked for than are shown. */
let more = 0;
/** So many answers are on their way that say what is shown. */
let loading = 0;

/** What an entry is to be; it leaves the list where it is to be nothing. */
interface Wish {
  readonly state?: "read" | "unread";
}
/** Those that are on their way to the server, by the entry. */
const wishes = new Map<number, Wish>();

/** Look again: as much as is shown now. */
export async function load(): Promise<void> {
  const turn = ++asked;
  const limit = Math.min(200, Math.max(PAGE, (entries.peek()?.length ?? 0) + more));
  loading++;
  try {
    const page = await server.notifications.list({ state: state.peek(), limit });
    if (turn !== asked) return;
    wrong.value = false;
    more = 0;
    entries.value = kept(asWished(page.items));
    next.value = page.next;
  } catch (error) {
    if (!away(error)) throw error;
    if (turn === asked) wrong.value = entries.peek() === undefined;
  } finally {
    loading--;
  }
}

/** An answer that left before a wish came to the server does not know of it. */
function asWished(found: readonly Notification[]): readonly Notification[] {
  return found.flatMap((entry) => {
    const wish = wishes.get(entry.id);
    if (!wish) return [entry];
    if (!wish.state || (wish.state === "read" && state.peek() === "unread" && !shown(entry.id))) return [];
    return [{ ...entry, state: wish.state }];
  });
}

function shown(id: number | undefined): Notification | undefined {
  return entries.peek()?.find((entry) => entry.id === id);
}

/** What one looked at stays in the list of what is unread until one goes on to another. */
function kept(found: readonly Notification[]): readonly Notification[] {
  const here = shown(looked);
  if (state.peek() !== "unread" || !here || found.some((entry) => entry.id === here.id)) return found;
  const stays = here.state === "read" || wishes.get(here.id)?.state;
  return stays ? [...found, here].sort((one, other) => other.at - one.at || other.id - one.id) : found;
}

/** What stands behind them. Where that does not go, it is said, and can be asked for again. */
export async function loadMore(): Promise<void> {
  more = PAGE;
  if (loading) return load();
  const turn = ++asked;
  try {
    const page = await server.notifications.list({ state: state.peek(), limit: PAGE, cursor: next.peek() });
    if (turn !== asked) return; // other entries are shown, or these are looked at again, with as many more
    more = 0;
    entries.value = [...(entries.peek() ?? []), ...asWished(page.items).filter((entry) => !shown(entry.id))];
    next.value = page.next;
  } catch (error) {
    if (turn === asked) more = 0;
    say(away(error) ? t.noAnswer : (error as Error).message);
  }
}

export function show(which: State): void {
  state.value = which;
  entries.value = undefined;
  next.value = null;
  cursor.value = looked = undefined;
  more = 0;
  void load();
}

/** What was closed is not among the unread ones any more. */
export function goOn(): void {
  looked = cursor.peek();
}

export function at(): Notification | undefined {
  return shown(cursor.peek());
}

export function move(step: number): void {
  const all = entries.peek() ?? [];
  const index = all.findIndex((entry) => entry.id === cursor.peek());
  const to = all[index < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, index + step))];
  if (to) open(to);
}

/** Looking at it is reading it. */
export function open(entry: Notification): void {
  const before = shown(looked);
  cursor.value = looked = entry.id;
  if (before && before.id !== entry.id && state.peek() === "unread" && before.state === "read") drop(before.id);
  if (entry.state === "unread") void read(entry, true);
}

export async function read(entry: Notification, on: boolean): Promise<void> {
  put({ ...entry, state: on ? "read" : "unread" });
  await done([entry.id], { state: on ? "read" : "unread" }, () => server.notifications.read({ ids: [entry.id], on }));
}

export async function readAll(): Promise<void> {
  const all = entries.peek() ?? [];
  goOn();
  entries.value = all.map((entry) => ({ ...entry, state: entry.state === "unread" ? "read" : entry.state }));
  const ids = all.filter((entry) => entry.state === "unread").map((entry) => entry.id);
  await done(ids, { state: "read" }, () => server.notifications.read({ all: true }));
}

/** Done with it: the next one is looked at. `read` brings an archived one back. */
export async function archive(entry: Notification): Promise<void> {
  leave(entry.id);
  const ids = [entry.id];
  if (entry.state === "archived") await done(ids, {}, () => server.notifications.read({ ids, on: false }));
  else await done(ids, {}, () => server.notifications.archive({ ids }));
}

export async function snooze(entry: Notification, until: number): Promise<void> {
  leave(entry.id);
  await done([entry.id], {}, () => server.notifications.snooze({ ids: [entry.id], until }));
}

/** Take it from the list; who looked at it looks at what stands behind it, or before it where it was the last. */
function leave(id: number): void {
  if (cursor.peek() !== id) return drop(id);
  const all = entries.peek() ?? [];
  const index = all.findIndex((entry) => entry.id === id);
  const to = all[index + 1] ?? all[index - 1];
  cursor.value = undefined;
  drop(id);
  if (to) open(to);
}

function put(entry: Notification): void {
  const before = shown(entry.id);
  entries.value = entries.peek()?.map((one) => (one.id === entry.id ? entry : one));
  unread.value = Math.max(0, unread.peek() + Number(entry.state === "unread") - Number(before?.state === "unread"));
}

function drop(id: number): void {
  entries.value = entries.peek()?.filter((entry) => entry.id !== id);
}

/** Where it does not go, it is said, and what is so is shown. */
async function done(ids: readonly number[], wish: Wish, call: () => Promise<unknown>): Promise<void> {
  for (const id of ids) wishes.set(id, wish);
  try {
    await call();
  } catch (error) {
    say(away(error) ? t.noAnswer : (error as Error).message);
  }
  for (const id of ids) if (wishes.get(id) === wish) wishes.delete(id);
  asked++; // an answer that is on its way may have left before
  await refreshInbox();
}
