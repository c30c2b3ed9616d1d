/** What of an issue is fetched when somebody looks: its text, what hangs on it and what was said, as it was at its `seq`. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AIProposal, ApprovalRequest, Attachment, Checklist, Comment, FieldChange, FieldLayout, Issue as WholeIssue, Seen } from "@kbwork/client";
import { type LaidOut, pathOf, shownOf } from "../issues/own.tsx";
import { troubles } from "../store/changes.ts";
import * as disk from "../store/disk.ts";
import type { Issue } from "../store/kinds.ts";
import { resets } from "../store/place.ts";
import { away, server } from "../store/server.ts";
import { may, me, offlineSince } from "../store/session.ts";
import { keeps } from "../store/rights.ts";
import { tables } from "../store/tables.ts";
import type { Topic } from "../talk/topic.ts";
import { t } from "../ui/texts.ts";

export interface Details {
  readonly whole: WholeIssue;
  readonly comments: readonly Comment[];
  readonly files: readonly Attachment[];
  /** What its fields were changed from and to, the last one first. */
  readonly history: readonly FieldChange[];
  /** Which own fields issues show in its project, type by type. */
  readonly layouts: readonly FieldLayout[];
  /** What others were asked to agree to, the last one first. */
  readonly approvals: readonly ApprovalRequest[];
  /** What models propose and nobody decided, or what did not go; the last one first. */
  readonly proposals: readonly AIProposal[];
}

/** What is needed to speak of an issue; of one that is not kept, there is no more. */
export type About = Pick<Issue, "id" | "key" | "project">;

/** What the version before this one did not keep. */
const NOT_KEPT: Pick<Details, "layouts" | "approvals" | "proposals"> = { layouts: [], approvals: [], proposals: [] };
const MOST_KEPT = 200;
const MOST_CHANGES = 100;
const WITH = ["relations", "children", "checklist", "flags"] as const;
export const details = signal<ReadonlyMap<number, Details>>(new Map());
let asked = 0;
const came = new Map<number, number>();

export async function detailsOf(key: string, project?: string): Promise<Details> {
  const subject = `issue:${key}`;
  const [[whole, comments, files, history], beside] = await Promise.all([
    server.batch([
      ["issues.get", { key, with: WITH }],
      ["comments.list", { subject }],
      ["attachments.list", { subject }],
      ["issues.history", { key, limit: MOST_CHANGES }],
    ]),
    project ? besideOf(key, project) : NOT_KEPT,
  ]);
  return { whole, comments, files, history: history.items, ...beside };
}

/** Until some of it was refused: a module may be off, and a guest sees an issue and not its project. */
let isAllowed = true;

/** In one call, as most may have it all: to begin another one costs a slow machine as much as to read its answer. */
async function besideOf(key: string, project: string): Promise<typeof NOT_KEPT> {
  if (!isAllowed || !may("ai:read")) return besideByEach(key, project);
  try {
    const [layouts, approvals, open, failed] = await server.batch([["fields.layout", { project }], ["approvals.list", { key }], ...askedOfModels(key)]);
    return { layouts, approvals, proposals: [...open, ...failed] };
  } catch (error) {
    if (away(error)) throw error;
    isAllowed = false;
    return besideByEach(key, project);
  }
}

async function besideByEach(key: string, project: string): Promise<typeof NOT_KEPT> {
  const [layouts, approvals, proposals] = await Promise.all([
    orNone(server.fields.layout({ project })),
    orNone(server.approvals.list({ key })),
    may("ai:read") ? orNone(server.batch(askedOfModels(key)).then((found) => found.flat())) : [],
  ]);
  return { layouts, approvals, proposals };
}

function askedOfModels(key: string) {
  const subject = `issue:${key}`;
  return [
    ["ai.proposals", { subject, state: "open" }],
    ["ai.proposals", { subject, state: "failed" }],
  ] as const;
}

/** None for who sees an issue and not its project, or where the module is off. */
async function orNone<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (away(error)) throw error;
    return [];
  }
}

/** Where the server does not answer, as they were seen last. */
export async function fetchDetails(issue: About): Promise<void> {
  const turn = ++asked;
  try {
    const found = await detailsOf(issue.key, issue.project);
    if (turn < (came.get(issue.id) ?? 0)) return; // what was asked for later came sooner
    came.set(issue.id, turn);
    put(issue.id, found);
    if (me.peek()) void disk.keepSeen(issue.id, found); // else it came behind the end
  } catch (error) {
    const kept = away(error) && !details.peek().has(issue.id) ? await disk.seen(issue.id) : undefined;
    if (!kept) throw error;
    put(issue.id, { ...NOT_KEPT, ...(kept as Details) });
  }
}

/** Behind something that was done: where the server does not answer any more, they come when it does. */
export async function refetch(issue: About): Promise<void> {
  await fetchDetails(issue).catch((error: unknown) => away(error) || reportError(error));
}

/** An issue as something that people speak about. */
export function topicOf(issue: About): Topic {
  return {
    subject: `issue:${issue.key}`,
    name: issue.key,
    draft: String(issue.id),
    keeps: keeps(issue.project),
    notes: true,
    refetch: () => refetch(issue),
    onAttached: (file) => {
      const files = details.value.get(issue.id)?.files ?? [];
      if (!files.some((one) => one.id === file.id)) show(issue.id, { files: [...files, file] });
    },
  };
}

/** Something of them is known to be otherwise already. */
export function show(id: number, part: Partial<Details>): void {
  const found = details.value.get(id);
  if (found) put(id, { ...found, ...part });
}

/** What an own field holds is known to be otherwise already. */
export function showOwn(id: number, key: string, value: unknown): void {
  const whole = details.peek().get(id)?.whole;
  if (whole) show(id, { whole: { ...whole, values: { ...whole.values, [key]: value } } });
}

function put(id: number, found: Details): void {
  const next = new Map(details.value);
  next.delete(id);
  next.set(id, found);
  for (const one of next.keys()) {
    if (next.size <= MOST_KEPT) break;
    next.delete(one);
  }
  details.value = next;
}

/** The own fields that an issue shows, with what was changed of them here. */
export function ownOf(issue: Issue, { whole, layouts }: Pick<Details, "whole" | "layouts">): (LaidOut & { value: unknown })[] {
  return shownOf(layouts, issue.type, whole.values).map((one) => {
    const { key } = one.field;
    const path = pathOf(key);
    return { ...one, value: (path in issue ? issue[path] : whole.values[key]) ?? null };
  });
}

/** The customer whose request it is; undefined: it is none. One of a customer who is gone is a request still. */
export function customerOf({ whole: { request } }: Details): string | undefined {
  return request ? `customer:${request.customer ?? 0}` : undefined;
}

/** What is to be ticked off, where the issue has that. */
export function checklistOf({ whole }: Details): Checklist | undefined {
  return whole.checklist as Checklist | undefined;
}

/**
 * Fetch them, and again whenever the issue changed, a change of it was taken back, everything was taken anew, or the server
 * answers again. Answers why that did not go.
 */
export function useDetails(issue: Issue | undefined): string | undefined {
  const [wrong, setWrong] = useState<string>();
  const refused = issue && troubles.value.get(issue.id);
  const isAway = offlineSince.value !== undefined;
  const told = issue && tables.issue.toldOf(issue.id); // of what is said and asked on it, too, which changes no column
  useEffect(() => {
    if (!issue) return;
    let late = false;
    setWrong(undefined);
    fetchDetails(issue).catch((error: unknown) => late || (away(error) && details.peek().has(issue.id)) || setWrong(whyNot(error)));
    return () => {
      late = true;
    };
  }, [issue?.id, told, refused, isAway, resets.value]);
  return wrong;
}

/** When one looked last, before this visit. Looking is told to the server, once for a visit. */
export function useLook(issue: Issue | undefined): Seen | undefined {
  const [seen, setSeen] = useState<Seen>();
  useEffect(() => {
    if (!issue) return;
    let late = false;
    setSeen(undefined);
    server.activity.seen({ subject: `issue:${issue.key}` }).then(
      (found) => late || setSeen(found),
      (error: unknown) => away(error) || reportError(error),
    );
    return () => {
      late = true;
    };
  }, [issue?.id]);
  return seen;
}

export function whyNot(error: unknown): string {
  return away(error) ? t.textAway : String((error as Error).message);
}
