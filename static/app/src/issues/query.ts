/** Which issues a list shows, in which order and under which heads. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { answer } from "../filter/answer.ts";
import { filterOf, group, layout, sort, subgroup, terms, tql } from "../filter/state.ts";
import { view } from "../filter/view.ts";
import type { Issue } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here } from "../ui/router.ts";
import { folded } from "./folds.ts";
import { splitBy } from "./groups.tsx";
import { heldOf } from "./held.ts";
import { isDone } from "./lanes.ts";
import { listed } from "./listed.ts";
import { type HeadOf, nested } from "./nested.ts";
import { ordered } from "./sorting.ts";

export const words = signal("");
export const showsDone = signal(false);

export interface Head {
  readonly key: string;
  readonly title: string;
  readonly mark: ComponentChildren;
}

export type HeadRow = HeadOf<Head>;
export type Row = HeadRow | { readonly issue: number };

/** All that belong to this place, whatever is filtered. */
export const within = computed(() => {
  const place = here.value;
  const all = tables.issue.all();
  if (place.name === "mine") return all.filter((issue) => issue.assignees.includes(myId.value));
  if (place.name === "project") return all.filter((issue) => issue.project === place.key);
  if (place.name === "sprint") return all.filter((issue) => issue.sprint === place.id);
  if (listed.value) return all.filter((issue) => listed.value?.places?.has(issue.id));
  return all;
});

/** Whether what the server finds is still to come. */
export const isComing = computed(() => {
  if (here.value.name === "view" && !view.value) return true;
  if (listed.value?.places === null) return true;
  return terms.value === undefined && answer.value?.tql !== tql.value;
});

const fitting = computed(() => {
  if (here.value.name === "view" && !view.value) return [];
  if (terms.value) return terms.value.length ? within.value.filter(filterOf(terms.value)) : within.value;
  const found = answer.value?.tql === tql.value ? answer.value.issues : undefined;
  return found ? within.value.filter((issue) => found.has(issue.id)) : [];
});

export const shown = computed(() => {
  const asked = words.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!asked.length) return fitting.value;
  return fitting.value.filter((issue) => {
    const text = textOf(issue);
    return asked.every((word) => text.includes(word));
  });
});

/** What words are looked for in, made once for each state of an issue. */
const texts = new WeakMap<Issue, string>();

function textOf(issue: Issue): string {
  let text = texts.get(issue);
  if (text === undefined) texts.set(issue, (text = `${issue.key} ${issue.title}`.toLocaleLowerCase()));
  return text;
}

/** What is done is folded away, where it is not what was asked for. */
const folds = computed(() => !showsDone.value && !asksForDone());

function asksForDone(): boolean {
  const some = terms.value;
  if (!some || listed.value) return true; // the query, or the room, says what it wants
  return some.some((term) => ("condition" in term ? term.condition === "done" && !term.not : term.field === "status" && !term.not));
}

const undone = computed(() => shown.value.filter((issue) => !isDone(issue)));
export const doneCount = computed(() => (asksForDone() ? 0 : shown.value.length - undone.value.length));

export const isFiltered = computed(() => words.value.trim() !== "" || tql.value !== "");

/** Whether it is a list of issues that stands there, or a board. */
export const hasList = computed(() => listed.value !== undefined || ["mine", "issues", "project", "sprint", "view"].includes(here.value.name));

/** Only a project has an order of its own, and a sprint the one of its only project. */
export const hasOrder = computed(() => {
  const place = here.value;
  if (place.name === "sprint") return tables.sprint.watch(place.id)?.projects.length === 1;
  return place.name === "project";
});

export const onBoard = computed(() => layout.value === "board" && hasList.value);

const unfolded = computed(() => (folds.value ? undone.value : shown.value));

/** What came while somebody is in the list, and waits until they ask for it. */
export const held = heldOf(
  unfolded,
  computed(() => JSON.stringify([here.value, listed.value?.name, layout.value, tql.value, words.value, sort.value, group.value, subgroup.value, folds.value, isComing.value])),
);

export const rows: ReadonlySignal<readonly Row[]> = computed(() => {
  const issues = held.value.size ? unfolded.value.filter((issue) => !held.value.has(issue.id)) : unfolded.value;
  const places = sort.value.by === "usual" ? listed.value?.places : undefined;
  const inOrder = (some: readonly Issue[]): Issue[] =>
    places ? some.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!) : ordered(some, sort.value, hasOrder.value);
  const splits = [group.value, subgroup.value].flatMap((one) => (one === "none" ? [] : splitBy(one)));
  // By days they stand under no heads.
  const isFolded = layout.value === "calendar" ? () => false : (path: string) => folded.value.has(path);
  return nested(issues, { splits, inOrder, rowOf: ({ id }): Row => ({ issue: id }), isFolded });
});
