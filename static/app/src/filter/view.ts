/** The saved view that one looks at. */
import { computed, effect, signal } from "@preact/signals";
import { Problem, type View } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { ready } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here } from "../ui/router.ts";

const found = signal<View | undefined>(undefined);
/** Why it cannot be shown. */
export const wrong = signal<string | undefined>(undefined);

export const view = computed(() => (here.value.name === "view" && found.value?.id === here.value.id ? found.value : undefined));

/** Fetch it when somebody goes there, and again when it changed. Answers what ends it. */
export function followView(): () => void {
  return effect(() => {
    const place = here.value;
    if (place.name !== "view" || !ready.value) return;
    if (!tables.view.watch(place.id)) return; // it is not, or no more, there
    wrong.value = undefined;
    void fetchView(place.id);
  });
}

/** What was there stays where the server does not answer. */
export async function fetchView(id: number): Promise<void> {
  try {
    const told = await server.views.get({ id });
    if (isHere(id)) found.value = told;
  } catch (error) {
    if (away(error)) return;
    if (!(error instanceof Problem)) throw error;
    if (isHere(id)) wrong.value = error.detail || error.title;
  }
}

/** Whoever went on to another view is not shown this one. */
function isHere(id: number): boolean {
  const place = here.peek();
  return place.name === "view" && place.id === id;
}
