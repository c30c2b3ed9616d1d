/** An issue that is written and not made yet. */
import type { IssueTemplate } from "@kbwork/client";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { Priority, Project } from "../store/kinds.ts";
import { random } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { here } from "../ui/router.ts";
import { compare } from "../ui/texts.ts";
import { open, takes } from "./sprints.ts";

export const DRAFT = "issue";

export interface Draft {
  readonly project: string;
  readonly title: string;
  readonly body: string;
  readonly priority: Priority;
  readonly assignee: string;
  /** Key of its type; empty: the project's default. */
  readonly type: string;
  /** Key of the issue above it; empty: none. */
  readonly parent: string;
  /** Key of the lane that it begins in; empty: where its workflow starts. */
  readonly lane: string;
  /** The sprint that it goes into; null: none. */
  readonly sprint: number | null;
  /** What own fields are to hold, by their keys; null: nothing. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What it is made of besides; null: nothing. */
  readonly template: FromTemplate | null;
  /** Names the call: sent twice, it makes one issue. */
  readonly id: string;
}

export interface FromTemplate {
  readonly of: IssueTemplate;
  /** What it filled in: what nobody changed goes with it. */
  readonly filled: Partial<Draft>;
}

/** What was written and not made, or a new one in the project that one looks at; with what is known of it. */
export function drafted(more: Partial<Draft>): Draft {
  const before = { ...fresh(), ...written() };
  return { ...movedTo(more.project ?? before.project, before), ...more };
}

/** In another project: what holds in one alone is left behind. */
export function movedTo(project: string, draft: Draft): Draft {
  if (project === draft.project) return draft;
  const { template } = draft;
  const stays = template && (template.of.project ?? project) === project;
  return { ...(stays ? draft : { ...withoutTemplate(draft), type: "" }), project, lane: "" };
}

/** What it filled in and nobody changed goes with it. */
export function withoutTemplate(draft: Draft): Draft {
  const { template } = draft;
  if (!template) return draft;
  const { values: said = {}, ...filled } = template.filled;
  const usual = fresh();
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const back = Object.keys(filled).filter((name) => same(draft[name as keyof Draft], filled[name as keyof typeof filled]));
  const values = Object.fromEntries(Object.entries(draft.values).filter(([key, value]) => !(key in said && same(said[key], value))));
  return { ...draft, ...Object.fromEntries(back.map((name) => [name, usual[name as keyof Draft]])), values, template: null };
}

export function fresh(): Draft {
  return { project: projectHere()?.key ?? "", title: "", body: "", priority: "none", assignee: "", type: "", parent: "", lane: "", sprint: sprintHere()?.id ?? null, values: {}, template: null, id: random() };
}

/** The one that a new issue goes into unless another is named; undefined: there is none. */
export function projectHere(): Project | undefined {
  const projects = openProjects();
  const place = here.value;
  const sprint = sprintHere();
  const key = place.name === "project" ? place.key : place.name === "issue" ? place.key.split("-")[0] : undefined;
  return projects.find((one) => (sprint ? takes(sprint, one.key) : one.key === key)) ?? projects[0];
}

function sprintHere() {
  const place = here.value;
  return place.name === "sprint" ? open.peek().find((one) => one.id === place.id) : undefined;
}

export function openProjects() {
  const found = tables.project.all().filter((project) => project.archived_at === null && project.my_role !== "viewer");
  return found.sort((one, other) => compare(one.name, other.name));
}

/** One in which nothing was said is none: it would go to the project that one looked at before. */
function written(): Partial<Draft> {
  const found = JSON.parse(draftOf(DRAFT) || "{}") as Partial<Draft>;
  return found.title || found.body || Object.keys(found.values ?? {}).length ? found : {};
}

/** What was shared, behind what is written already: that stays. */
export function withShared(title: string, body: string): Pick<Draft, "title" | "body"> {
  const before = written();
  const parts = before.title ? [before.body, title, body] : [before.body, body];
  return { title: before.title || title, body: parts.filter(Boolean).join("\n\n") };
}

/** Kept until it is made or thrown away; nothing: it is done with. */
export function keep(draft: Draft | undefined): void {
  keepDraft(DRAFT, draft ? JSON.stringify(draft) : "");
}
