/** What of an issue is fetched when somebody looks: its text, what hangs on it and what was said, as it was at its `seq`. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
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
/** So long what was fetched ahead is shown without being asked for again. */
const FRESH_MS = 10_000;
const WITH = ["relations", "children", "checklist", "flags"] as const;
export const details = signal<ReadonlyMap<number, Details>>(new Map());
let asked = 0;
const came = new Map<number, number>();

/** Who was refused what hangs on an issue asks for each part by itself: a module may be off, and a guest sees no project. */
let isAllowed = true;

/** In one call, as most may have it all: to begin another one costs a slow machine as much as to read its answer. */
export async function detailsOf(key: string, project?: string): Promise<Details> {
  if (project && isAllowed && may("ai:read")) {
    try {
      const asked = [...ofIssue(key), ["fields.layout", { project }], ["approvals.list", { key }], ...ofModels(key)] as const;
      const [whole, comments, files, history, layouts, approvals, open, failed] = await server.batch(asked);
      return { whole, comments, files, history: history.items, layouts, approvals, proposals: [...open, ...failed] };
    } catch (error) {
      if (away(error)) throw error;
    }
  }
  const [[whole, comments, files, history], beside] = await Promise.all([server.batch(ofIssue(key)), project ? besideOf(key, project) : NOT_KEPT]);
  isAllowed &&= project === undefined; // the issue is there: it was something beside it
  return { whole, comments, files, history: history.items, ...beside };
}

async function besideOf(key: string, project: string): Promise<typeof NOT_KEPT> {
  const [layouts, approvals, proposals] = await Promise.all([
    orNone(server.fields.layout({ project })),
    orNone(server.approvals.list({ key })),
    may("ai:read") ? orNone(server.batch(ofModels(key)).then((found) => found.flat())) : [],
  ]);
  return { layouts, approvals, proposals };
}

function ofIssue(key: string) {
  const subject = `issue:${key}`;
  return [
    ["issues.get", { key, with: WITH }],
    ["comments.list", { subject }],
    ["attachments.list", { subject }],
    ["issues.history", { key, limit: MOST_CHANGES }],
  ] as const;
}

function ofModels(key: string) {
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
export async function fetchDetails(issue: About, coming = detailsOf(issue.key, issue.project)): Promise<void> {
  const turn = ++asked;
  try {
    const found = await coming;
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

/** What the cursor rests on is there when it is opened. */
let ahead: { readonly id: number; readonly told: Issue | undefined; readonly at: number; readonly coming: Promise<Details> } | undefined;

export function fetchAhead(issue: Issue): void {
  if (isAhead(issue)) return;
  const coming = detailsOf(issue.key, issue.project);
  const made = { id: issue.id, told: tables.issue.toldOf(issue.id), at: performance.now(), coming };
  ahead = made;
  coming.catch(() => ahead === made && (ahead = undefined)); // it is asked for anew by whoever opens it
}

/** What was fetched ahead, once, where nothing happened to the issue since; what it relates to tells nobody here. */
function takeAhead(issue: Issue): Promise<Details> | undefined {
  const coming = isAhead(issue) ? ahead?.coming : undefined;
  if (ahead?.id === issue.id) ahead = undefined;
  return coming;
}

function isAhead({ id }: Issue): boolean {
  return ahead?.id === id && ahead.told === tables.issue.toldOf(id) && performance.now() - ahead.at < FRESH_MS;
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
  useLayoutEffect(() => {
    if (!issue) return;
    let late = false;
    setWrong(undefined);
    fetchDetails(issue, takeAhead(issue)).catch((error: unknown) => late || (away(error) && details.peek().has(issue.id)) || setWrong(whyNot(error)));
    return () => {
      late = true;
    };
  }, [issue?.id, told, refused, isAway, resets.value]);
  return wrong;
}

/** When one looked last, before this visit. Looking is told to the server, once for a visit, `behind` what there is to look at. */
export function useLook(issue: Issue | undefined, behind: boolean): Seen | undefined {
  const [seen, setSeen] = useState<Seen>();
  useEffect(() => {
    setSeen(undefined);
    if (!issue || !behind) return;
    let late = false;
    server.activity.seen({ subject: `issue:${issue.key}` }).then(
      (found) => late || setSeen(found),
      (error: unknown) => away(error) || reportError(error),
    );
    return () => {
      late = true;
    };
  }, [issue?.id, behind]);
  return seen;
}

export function whyNot(error: unknown): string {
  return away(error) ? t.textAway : String((error as Error).message);
}
