/** The issues of a saved view: the server says which they are, and is asked again when something changed. */
import { effect, signal } from "@preact/signals";
import { Problem } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { ready } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here } from "../ui/router.ts";

/** What changes together is asked for once. */
const CALM_MS = 400;
const PAGE = 500;
const MOST_PAGES = 20;

interface Saved {
  readonly view: number;
  readonly issues: ReadonlySet<number>;
  /** What one should know of the query, or why it cannot be asked. */
  readonly notices: readonly string[];
}

export const saved = signal<Saved | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

/** Follow the view that one looks at. Answers what ends it. */
export function followViews(): () => void {
  let before: number | undefined;
  return effect(() => {
    const place = here.value;
    void tables.issue.moved.value;
    clearTimeout(timer);
    const view = place.name === "view" && ready.value ? place.id : undefined;
    if (view !== before) saved.value = undefined;
    if (view !== undefined) timer = setTimeout(() => void ask(view), view === before ? CALM_MS : 0);
    before = view;
  });
}

async function ask(view: number): Promise<void> {
  const turn = ++asked;
  const found = await answerOf(view);
  if (turn === asked && found) saved.value = found;
}

/** Nothing where the server does not answer: what was there stays. */
async function answerOf(view: number): Promise<Saved | undefined> {
  try {
    const { tql, notices } = await server.views.get({ id: view });
    const issues = new Set<number>();
    const input = { tql, fields: ["key"], limit: PAGE };
    for await (const page of server.pages("tql.run", input, { most: MOST_PAGES })) {
      for (const subject of page.subjects ?? []) issues.add(Number(subject.split(":")[1]));
    }
    return { view, issues, notices };
  } catch (error) {
    if (away(error)) return undefined;
    if (!(error instanceof Problem)) throw error;
    return { view, issues: new Set(), notices: [error.detail || error.title] };
  }
}
