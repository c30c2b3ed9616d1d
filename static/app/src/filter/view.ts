/** The saved view that one looks at: at its own address, or in a project, which may open with one. */
import { computed, effect, signal } from "@preact/signals";
import { Problem, type View } from "@kbwork/client";
import { touched } from "../issues/held.ts";
import type { View as KeptView } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { ready } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here, query } from "../ui/router.ts";

/** What of the address says more than which issues there are to choose from. */
export const ASKED = ["tql", "group", "subgroup", "sort", "layout", "columns"] as const;
/** In place of the number of a view: a project without the one that it opens with. */
export const NO_VIEW = "none";

const found = signal<View | undefined>(undefined);
/** Why it cannot be shown. */
export const wrong = signal<string | undefined>(undefined);

/** What the project that one looks at opens with. */
export const usualView = computed(() => {
  const place = here.value;
  return place.name === "project" ? tables.view.watch(tables.project.watch(place.key)?.default_view ?? 0) : undefined;
});

let before = "";
let held: number | undefined;
/** Its number, as it was when somebody went to a row there: another one is not put under their pointer. */
const opened = computed(() => {
  const key = here.value.name === "project" ? here.value.key : "";
  const now = tables.project.watch(key)?.default_view ?? undefined;
  if (key !== before || !touched.value) held = now;
  before = key;
  return held;
});

/** The number of the view. What the address of a project asks for, a layout also, comes before what that opens with. */
const at = computed(() => {
  const place = here.value;
  if (place.name === "view") return place.id;
  if (place.name !== "project" || place.layout !== "list") return undefined;
  const named = query.value.get("view");
  if (named !== null) return Number(named) || undefined;
  return ASKED.some((name) => query.value.has(name)) ? undefined : opened.value;
});

/** In a project it is there at once, and what is to be known of it comes behind; its own address waits for that. */
export const view = computed<(KeptView & Partial<View>) | undefined>(() => {
  const id = at.value;
  const kept = id === undefined ? undefined : tables.view.watch(id);
  const told = found.value?.id === id ? found.value : undefined;
  return here.value.name === "view" ? told : kept && (told ?? kept);
});

/** Fetch it when somebody goes there, and again when it changed. Answers what ends it. */
export function followView(): () => void {
  return effect(() => {
    const id = at.value;
    if (id === undefined || !ready.value) return;
    if (!tables.view.watch(id)) return; // it is not, or no more, there
    wrong.value = undefined;
    void fetchView(id);
  });
}

/** What was there stays where the server does not answer. */
export async function fetchView(id: number): Promise<void> {
  try {
    const told = await server.views.get({ id });
    if (at.peek() === id) found.value = told; // whoever went on to another view is not shown this one
  } catch (error) {
    if (away(error)) return;
    if (!(error instanceof Problem)) throw error;
    if (at.peek() === id) wrong.value = error.detail || error.title;
  }
}
