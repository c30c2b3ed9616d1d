/**
 * What is kept between visits: what there was, as text in a few pieces, and the changes that were not sent yet.
 *
 * A record for each issue would be ten times slower than the network is. Where the browser keeps nothing, as in a private
 * window, everything works but the start without a network.
 */
import { type Me, version } from "@kbwork/client";
import { type IDBPDatabase, openDB } from "idb";
import type { Change } from "./changes.ts";
import type { Rows } from "./tables.ts";

const NAME = "kbwork";
const VERSION = 2;
const PIECE = 1000;
/** So many issues are kept as they were seen last. */
const MOST_SEEN = 200;

export interface Kept {
  /** Whose it is. */
  readonly me: Me;
  readonly seq: number;
  readonly access: number;
  readonly etags: readonly (readonly [kind: string, etag: string])[];
  readonly rows: readonly Rows[];
}

interface Head extends Omit<Kept, "rows"> {
  /** Of the app that wrote it: another one may have other columns. */
  readonly version: string;
}

let opened: Promise<IDBPDatabase | null> | undefined;

function database(): Promise<IDBPDatabase | null> {
  opened ??= openDB(NAME, VERSION, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore("piece");
        db.createObjectStore("change", { keyPath: "id" });
      }
      if (before < 2) db.createObjectStore("seen");
    },
  }).catch(() => null);
  return opened;
}

/** Says whether something is kept before the disk does, which takes as long as an answer of the server. */
const MARK = "kbwork.kept";

/** Whether nothing is kept, as far as that is known at once. */
export function isBlank(): boolean {
  try {
    return !localStorage.getItem(MARK);
  } catch {
    return false;
  }
}

function mark(kept: boolean): void {
  try {
    if (kept) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // The disk says it, later.
  }
}

/** None where nothing is kept, or nothing that can be read: then the server has everything. */
export async function load(): Promise<Kept | undefined> {
  const db = await database();
  try {
    const texts = (await db?.getAll("piece")) as string[] | undefined;
    if (!texts?.length) return undefined;
    const [head, ...rows] = texts.map((text) => JSON.parse(text) as unknown);
    return (head as Head).version === version ? { ...(head as Head), rows: rows as Rows[] } : undefined;
  } catch {
    return undefined;
  }
}

export async function save({ rows, ...head }: Kept): Promise<void> {
  const db = await database();
  if (!db) return;
  const texts = [{ ...head, version }, ...rows.flatMap(cut)].map((one) => JSON.stringify(one));
  const tx = db.transaction("piece", "readwrite");
  await Promise.all([tx.store.clear(), ...texts.map((text, at) => tx.store.put(text, at)), tx.done]);
  mark(true);
}

function cut({ kind, columns, rows }: Rows): Rows[] {
  const pieces: Rows[] = [];
  for (let at = 0; at < rows.length; at += PIECE) pieces.push({ kind, columns, rows: rows.slice(at, at + PIECE) });
  return pieces;
}

export async function changes(): Promise<Change[]> {
  const db = await database();
  return ((await db?.getAll("change").catch(() => [])) as Change[] | undefined) ?? [];
}

/** Where the disk is full it is sent all the same. */
export async function keep(change: Change): Promise<void> {
  await (await database())?.put("change", change).catch(() => undefined);
}

export async function forget(id: string): Promise<void> {
  await (await database())?.delete("change", id).catch(() => undefined);
}

interface Seen {
  readonly version: string;
  readonly at: number;
  readonly found: unknown;
}

/** What was fetched of an issue or, under a name, of something else, for a time without a network. Where the disk is full it is not kept. */
export async function keepSeen(id: number | string, found: unknown): Promise<void> {
  const db = await database();
  await db?.put("seen", { version, at: Date.now(), found } satisfies Seen, id).catch(() => undefined);
  const ids = (await db?.getAllKeys("seen").catch(() => [])) ?? [];
  if (ids.length > MOST_SEEN) await forgetOldest(db!);
}

async function forgetOldest(db: IDBPDatabase): Promise<void> {
  const tx = db.transaction("seen", "readwrite");
  const times: { id: IDBValidKey; at: number }[] = [];
  for (let cursor = await tx.store.openCursor(); cursor; cursor = await cursor.continue()) {
    times.push({ id: cursor.key, at: (cursor.value as Seen).at });
  }
  times.sort((one, other) => other.at - one.at);
  await Promise.all([...times.slice(MOST_SEEN / 2).map(({ id }) => tx.store.delete(id)), tx.done]);
}

/** As it was when somebody looked last. */
export async function seen(id: number | string): Promise<unknown> {
  const kept = (await (await database())?.get("seen", id).catch(() => undefined)) as Seen | undefined;
  return kept?.version === version ? kept.found : undefined;
}

/** Whoever comes next to this browser finds nothing. */
export async function wipe(): Promise<void> {
  mark(false);
  const db = await database();
  for (const store of ["piece", "seen"]) await db?.clear(store).catch(() => undefined); // gone already: the server had it cleared
}

/** What was never sent is lost with it. */
export async function forgetChanges(): Promise<void> {
  await (await database())?.clear("change").catch(() => undefined);
}
