/** Beside a new issue that is written: issues that are there already, and what a pasted list would become. */
import { useEffect, useState } from "preact/hooks";
import type { Similar } from "@kbwork/client";
import { dismiss, openMyChanges } from "../issues/asked.ts";
import type { Draft } from "../issues/drafted.ts";
import type { OwnValues } from "../issues/own.tsx";
import { remember } from "../store/changes.ts";
import { server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { saidOf } from "./create_template.tsx";
import { words } from "./create_words.ts";

const CALM_MS = 350;
const SHORTEST = 8;
const MOST_ALIKE = 3;
const ALIKE = 0.5;
const MOST_LINES = 100;
const HEAD = /^(?:titles?|summary|names?|issues?|tasks?|cards?)$/i;

/** Issues of the project that have much the same title, for who writes one that is there. */
export function Alike({ project, title }: Pick<Draft, "project" | "title">) {
  const [found, setFound] = useState<readonly Similar[]>([]);
  useEffect(() => {
    setFound([]);
    if (title.trim().length < SHORTEST) return;
    let late = false;
    const timer = setTimeout(() => {
      server.issues.similar({ title, project, limit: MOST_ALIKE }).then(
        (some) => late || setFound(some.filter(({ score }) => score >= ALIKE)),
        () => undefined, // one writes on without
      );
    }, CALM_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [project, title]);
  if (!found.length) return null;
  return (
    <div class="alike" role="status">
      <p class="meta">{t.alike}</p>
      <ul>
        {found.map(({ issue }) => (
          <li key={issue.key} class="bar">
            <span class="meta">{issue.key}</span>
            <a class="cut grow" data-in href={`/issues/${issue.key}`} dir="auto" onClick={dismiss}>{issue.title}</a>
            <span class="meta">{issue.status}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a list holds that was pasted. */
export interface Pasted {
  readonly lines: readonly string[];
  /** It was of a table, of which the first column alone is taken. */
  readonly ofTable: boolean;
}

/** The lines of a list, without what stood before them; of a table the first column, without its head. */
export function pastedOf(text: string): Pasted {
  const all = text.split(/\r?\n/);
  const ofTable = all.some((line) => bare(line).includes("\t"));
  const lines = all.map((line) => bare(ofTable ? line.split("\t")[0]! : line)).filter(Boolean);
  return { lines: lines.slice(ofTable && HEAD.test(lines[0] ?? "") ? 1 : 0).slice(0, MOST_LINES), ofTable };
}

const bare = (line: string): string => line.replace(/^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)?/, "").trim();

/** What the call says of an issue besides its title and text. */
export function besidesTitle(draft: Draft, values: OwnValues) {
  const { priority, assignee, type, parent, lane, sprint } = draft;
  const where = { ...(type && { type }), ...(parent && { parent }), ...(lane && { status: lane }), ...(sprint && { sprint }) };
  return { priority, values, ...where, ...(assignee && { assignees: [assignee] }), ...saidOf(draft, values) };
}

/** One call makes them all, and takes them back. */
export async function sendSeveral(draft: Draft, values: OwnValues, lines: readonly string[]): Promise<void> {
  const more = besidesTitle(draft, values);
  const items = lines.map((title, at) => ({ ref: String(at), title, ...more }));
  const { data, seq } = await server.ask("issues.create_tree", { project: draft.project, items }, { idempotencyKey: draft.id });
  const count = data?.length ?? lines.length;
  remember(t.several(count), seq);
  say(t.several(count), { title: t.myChanges, run: openMyChanges });
}

/** What lines that were pasted would become. */
export function Several({ lines, ofTable, onDrop }: Pasted & { readonly onDrop: () => void }) {
  return (
    <div class="alike">
      <p class="meta">{t.severalWhat(lines.length)}</p>
      {ofTable && <p class="meta">{words.ofTable} <a data-in class="in-text" href="/settings/import" onClick={dismiss}>{words.importIt}</a></p>}
      <ol class="several">{lines.map((line, at) => <li key={at} class="cut" dir="auto">{line}</li>)}</ol>
      <p class="bar">
        <button type="button" class="plain" onClick={onDrop}>{t.asOne}</button>
      </p>
    </div>
  );
}
