/** Beside a new issue that is written: issues that are there already, and what a pasted list would become. */
import { useEffect, useState } from "preact/hooks";
import { Problem, type Similar } from "@kbwork/client";
import { dismiss, openMyChanges } from "../issues/asked.ts";
import { type Draft, keep } from "../issues/drafted.ts";
import type { OwnValues } from "../issues/own.tsx";
import { remember } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { saidOf } from "./create_template.tsx";

const CALM_MS = 350;
const SHORTEST = 8;
const MOST_ALIKE = 3;
const ALIKE = 0.5;
const MOST_LINES = 100;

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

/** The lines of a list, without what stood before them. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)?/, "").trim());
  return lines.filter(Boolean).slice(0, MOST_LINES);
}

/** What the call says of an issue besides its title and text. */
export function besidesTitle(draft: Draft, values: OwnValues) {
  const { priority, assignee, type, parent, lane, sprint } = draft;
  const where = { ...(type && { type }), ...(parent && { parent }), ...(lane && { status: lane }), ...(sprint && { sprint }) };
  return { priority, values, ...where, ...(assignee && { assignees: [assignee] }), ...saidOf(draft, values) };
}

interface SeveralProps {
  readonly draft: Draft;
  readonly type: string;
  /** What each holds in own fields. */
  readonly values: OwnValues;
  readonly lines: readonly string[];
  readonly onDrop: () => void;
}

/** Several at once, of lines that were pasted: one call makes them all, and takes them back. */
export function Several({ draft, type, values, lines, onDrop }: SeveralProps) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [call, setCall] = useState(random);
  const make = async (): Promise<void> => {
    const { project } = draft;
    const more = besidesTitle({ ...draft, type }, values);
    setBusy(true);
    setWrong(undefined);
    try {
      const items = lines.map((title, at) => ({ ref: String(at), title, ...more }));
      const { data, seq } = await server.ask("issues.create_tree", { project, items }, { idempotencyKey: call });
      remember(t.several(data?.length ?? lines.length), seq);
      keep(undefined);
      dismiss();
      say(t.several(data?.length ?? lines.length), { title: t.myChanges, run: openMyChanges });
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setWrong(away(error) ? t.noAnswer : (error as Problem).detail || (error as Problem).title);
      if (!away(error)) setCall(random());
      setBusy(false);
    }
  };
  return (
    <div class="alike">
      <p class="meta">{t.severalWhat(lines.length)}</p>
      <ol class="several">{lines.map((line, at) => <li key={at} class="cut" dir="auto">{line}</li>)}</ol>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      <p class="bar">
        <button type="button" class="primary" disabled={busy} onClick={() => void make()}>{t.makeSeveral(lines.length)}</button>
        <button type="button" class="plain" onClick={onDrop}>{t.asOne}</button>
      </p>
    </div>
  );
}
