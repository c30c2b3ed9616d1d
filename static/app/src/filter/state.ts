/**
 * What is asked for at a place: a query, how its issues are grouped, sorted and laid out. The address says it, so that it
 * can be sent to somebody and gone back to; of a saved view it says only what is otherwise than in the view.
 */
import { computed, effect } from "@preact/signals";
import type { Issue } from "../store/kinds.ts";
import { type Layout, layoutOf } from "../ui/places.ts";
import { remember, remembered } from "../ui/remembered.ts";
import { go, here, query, withQuery } from "../ui/router.ts";
import { CONDITIONS } from "./fields.tsx";
import { choice, read, type Term, write } from "./terms.ts";
import { ASKED, NO_VIEW, view } from "./view.ts";

export const GROUPS = ["status", "assignee", "priority", "label", "type", "sprint", "project", "none"] as const;
export type Group = (typeof GROUPS)[number];
export type Grouping = Exclude<Group, "none">;
export const SORTS = ["usual", "priority", "due", "updated", "created", "title", "estimate"] as const;
export type Sort = (typeof SORTS)[number];
/** What is large or late stands first. */
const LARGE_FIRST: readonly Sort[] = ["priority", "updated", "created", "estimate"];

const isGroup = (name: string): name is Group => (GROUPS as readonly string[]).includes(name);
const isSort = (name: string): name is Sort => (SORTS as readonly string[]).includes(name);

export const tql = computed(() => query.value.get("tql") ?? view.value?.tql ?? "");

/** As chips; undefined: only the server can read it. */
export const terms = computed(() => read(tql.value));

export const group = computed<Group>(() => {
  const asked = query.value.get("group") ?? usualGroup();
  return isGroup(asked) ? asked : "status";
});

/** What a room lists has an order of its own. */
const usualGroup = (): string => view.value?.group_by ?? (here.value.name === "room" ? "none" : "status");

/** What is grouped by within each group. */
export const subgroup = computed<Group>(() => {
  const asked = query.value.get("subgroup") ?? usualSubgroup();
  return isGroup(asked) && group.value !== "none" && asked !== group.value ? asked : "none";
});

const usualSubgroup = (): string => view.value?.subgroup_by ?? "none";

/** A minus in front turns it round. */
const askedSort = computed(() => query.value.get("sort") ?? view.value?.sort ?? "usual");

/** The same object as long as the same is asked for: an issue that is opened beside a list puts nothing in order anew. */
export const sort = computed<{ by: Sort; back: boolean }>(() => {
  const asked = askedSort.value;
  const by = asked.replace(/^-/, "");
  return isSort(by) ? { by, back: asked !== by } : { by: "usual", back: false };
});

export const layout = computed<Layout>(() => {
  const place = here.value;
  if (place.name === "sprint" || (place.name === "project" && !view.value)) return place.layout;
  if (place.name === "room") return "list";
  return layoutOf(query.value.get("layout") ?? view.value?.layout);
});

const LAST = "kbwork.layout.";

effect(() => {
  const place = here.value;
  if (place.name === "project") remember(`${LAST}${place.key}`, place.layout === "list" ? null : place.layout);
});

/** Where a project is, laid out as one looked at it last. */
export function projectPath(key: string): string {
  return laidOut(`/projects/${key}`, layoutOf(remembered(`${LAST}${key}`) ?? undefined));
}

const laidOut = (path: string, as: Layout): string => `${path}${as === "list" ? "" : `/${as}`}`;

/** Whether it is otherwise than the view that one looks at; elsewhere, whether anything is asked for. */
export const isChanged = computed(() => ASKED.some((name) => query.value.has(name)));

export function setTql(text: string): void {
  set("tql", text === (view.peek()?.tql ?? "") ? null : text);
}

export function setTerms(next: readonly Term[]): void {
  setTql(write(next));
}

export function setGroup(next: Group): void {
  set("group", next === usualGroup() ? null : next);
}

export function setSubgroup(next: Group): void {
  set("subgroup", next === usualSubgroup() ? null : next);
}

export function setSort(by: Sort, back: boolean): void {
  const text = back ? `-${by}` : by;
  set("sort", text === (view.peek()?.sort ?? "usual") ? null : text);
}

/** Whoever chooses what is chosen turns it round. */
export function chooseSort(by: Sort): void {
  const back = sort.value.by === by ? !sort.value.back : LARGE_FIRST.includes(by);
  setSort(by, by !== "usual" && back);
}

export function setLayout(next: Layout): void {
  const place = here.value;
  if (place.name === "sprint" || (place.name === "project" && !view.peek())) {
    const path = place.name === "project" ? `/projects/${place.key}` : `/sprints/${place.id}`;
    go(`${laidOut(path, next)}${location.search}`);
  }
  else set("layout", next === (view.peek()?.layout ?? "list") ? null : next);
}

const NOTHING: Readonly<Record<string, null>> = Object.fromEntries(ASKED.map((name) => [name, null]));

/** As the view has it. */
export function reset(): void {
  go(withQuery(NOTHING), { replace: true });
}

/** All issues of a project that opens with a view. */
export function leaveView(): void {
  go(withQuery({ ...NOTHING, view: NO_VIEW }));
}

/** In a project the address names the view as well: without it, what it asks for would be all there is. */
export function set(name: (typeof ASKED)[number], value: string | null): void {
  const of = here.peek().name === "project" ? view.peek() : undefined;
  go(withQuery({ ...(of && { view: String(of.id) }), [name]: value }), { replace: true });
}

/** What has all of them. */
export function filterOf(some: readonly Term[]): (issue: Issue) => boolean {
  const tests = some.map((term) => {
    if ("condition" in term) return turned(CONDITIONS[term.condition].fits, term.not);
    const chosen = term.values.map((value) => choice(term.field, value)).filter((one) => one !== undefined);
    return turned((issue) => chosen.some((one) => one.fits(issue)), term.not);
  });
  return (issue) => tests.every((test) => test(issue));
}

function turned(fits: (issue: Issue) => boolean, not: boolean): (issue: Issue) => boolean {
  return not ? (issue) => !fits(issue) : fits;
}
