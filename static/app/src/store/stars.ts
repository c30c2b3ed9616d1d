/** What the person starred. Nobody else is told of it, and no event tells it, so that it is asked for. */
import { computed, signal } from "@preact/signals";
import type { Star } from "@kbwork/client";
import * as disk from "./disk.ts";
import { away, server } from "./server.ts";
import { may, me } from "./session.ts";

export interface Starred extends Star {
  readonly kind: string;
  /** Where it is shown. */
  readonly path: string;
  /** Of a page or a space, as `Emblem` takes it. */
  readonly icon: string | null;
}

/** In the order of the person. */
export const starred = signal<readonly Starred[]>([]);
/** Subjects, such as `space:HAND`. */
export const stars = computed<ReadonlySet<string>>(() => new Set(starred.value.map(({ subject }) => subject)));

const NAME = "stars";
/** So many pages are looked up by their titles among those that begin alike. */
const MOST_ALIKE = 20;
const MOST_LOOKED_UP = 50;
let asked = 0;

/** Answers whether the server did. */
export async function fetchStars(): Promise<boolean> {
  if (!may("activity:read")) return true;
  try {
    await take(await server.stars.list());
  } catch (error) {
    const kept = starred.peek().length ? undefined : await disk.seen(NAME);
    if (kept) starred.value = kept as Starred[];
    return !away(error);
  }
  return true;
}

/** These are all of them, as the server answered when one was set. Where each leads to is known a moment later. */
export async function take(all: readonly Star[]): Promise<void> {
  const turn = ++asked;
  const before = new Map(starred.peek().map((one) => [one.subject, one]));
  starred.value = all.map((one) => {
    const [kind = "", ref = ""] = one.subject.split(/:(.*)/s);
    return { ...one, kind, path: before.get(one.subject)?.path ?? `/${kind}s/${ref}`, icon: before.get(one.subject)?.icon ?? null };
  });
  const [paths, icons] = await lookUp(starred.peek().slice(0, MOST_LOOKED_UP));
  if (turn !== asked) return; // what was asked for later came sooner
  starred.value = starred.peek().map((one) => ({ ...one, path: paths.get(one.subject) ?? one.path, icon: icons.get(one.subject) ?? null }));
  if (me.peek()) void disk.keepSeen(NAME, starred.peek()); // else it came behind the end
}

/** By subject: where it is shown, and its sign. */
async function lookUp(all: readonly Starred[]): Promise<readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>]> {
  const refs = all.map(({ subject }) => subject);
  const reads = may("pages:read");
  const pages = reads ? all.filter(({ kind }) => kind === "page") : [];
  const [resolved, spaces, lists] = await Promise.all([
    refs.length && may("search:read") ? server.subjects.resolve({ refs }) : [],
    reads && all.some(({ kind }) => kind === "space") ? server.spaces.list() : [],
    pages.length ? server.batch(pages.map(({ title: q }) => ["pages.list", { q, limit: MOST_ALIKE }] as const)) : [],
  ]);
  const icons = [
    ...spaces.map(({ key, icon }) => [`space:${key}`, icon] as const),
    ...lists.flatMap(({ items }) => items.map(({ id, icon }) => [`page:${id}`, icon] as const)),
  ];
  return [
    new Map(resolved.flatMap(({ subject, path }) => (subject && path ? [[subject, path]] : []))),
    new Map(icons.flatMap(([subject, icon]) => (icon ? [[subject, icon]] : []))),
  ];
}

/** What it is called and its sign, where somebody changed these. */
export function seeAs(subject: string, title: string, icon: string | null): void {
  const old = starred.peek().find((one) => one.subject === subject);
  if (!old || (old.title === title && old.icon === icon)) return;
  starred.value = starred.peek().map((one) => (one === old ? { ...old, title, icon } : one));
}
