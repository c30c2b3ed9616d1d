/** Which issues a query finds that only the server can read: asked again when something changed. */
import { effect, signal } from "@preact/signals";
import { Problem } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { ready } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { terms, tql } from "./state.ts";

/** What changes together is asked for once. */
const CALM_MS = 400;
const PAGE = 500;
const MOST_PAGES = 20;

interface Answer {
  readonly tql: string;
  readonly issues: ReadonlySet<number>;
  /** Why it cannot be asked. */
  readonly wrong: string | undefined;
}

export const answer = signal<Answer | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

/** Answers what ends it. */
export function followAnswer(): () => void {
  let before: string | undefined;
  return effect(() => {
    const text = terms.value === undefined && ready.value ? tql.value : undefined;
    if (text !== undefined) void tables.issue.moved.value;
    clearTimeout(timer);
    if (text !== undefined) timer = setTimeout(() => void ask(text), text === before ? CALM_MS : 0);
    before = text;
  });
}

async function ask(text: string): Promise<void> {
  const turn = ++asked;
  const found = await answerTo(text);
  if (turn === asked && found) answer.value = found;
}

/** Nothing where the server does not answer: what was there stays. */
async function answerTo(text: string): Promise<Answer | undefined> {
  try {
    const issues = new Set<number>();
    for await (const page of server.paged("tql.run", { tql: text, fields: ["key"], limit: PAGE }, { most: MOST_PAGES })) {
      for (const subject of page.subjects ?? []) issues.add(Number(subject.split(":")[1]));
    }
    return { tql: text, issues, wrong: undefined };
  } catch (error) {
    if (away(error)) return undefined;
    if (!(error instanceof Problem)) throw error;
    return { tql: text, issues: new Set(), wrong: error.detail || error.title };
  }
}
