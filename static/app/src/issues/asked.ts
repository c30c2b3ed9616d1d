/** Which dialog is asked for. They are fetched apart from the first screen, so that they are asked for by name. */
import { signal } from "@preact/signals";
import type { BulkChanges } from "@kbwork/client";
import type { FilterField } from "../filter/fields.tsx";
import type { Operation } from "../palette/operations.ts";
import { tables } from "../store/tables.ts";
import { go, here, query, withQuery } from "../ui/router.ts";
import { type Draft, drafted, keep, withShared } from "./drafted.ts";
import type { Field } from "./edits.ts";

/** A field of issues; at an element, or in the middle. */
export interface Editing {
  readonly field: Field;
  readonly issues: readonly number[];
  readonly at: Element | null;
}

/** One of a few answers. */
export interface Choice {
  readonly label: string;
  readonly at: Element;
  readonly options: readonly { readonly title: string; readonly on?: boolean; readonly run: () => void }[];
}

/** A change of many, of which one sees first what it would do. */
export interface Bulk {
  readonly title: string;
  readonly issues: readonly number[];
  readonly changes: BulkChanges;
  /** What is behind it when it was done. */
  readonly onDone?: () => void;
}

/** An own field of all that are selected; `field`: its key, left out: which one is asked first. */
export interface OwnOf {
  readonly issues: readonly number[];
  readonly field?: string;
  readonly at: Element | null;
}

/** Others are to agree that an issue goes to a lane. */
export interface Asking {
  readonly issue: number;
  readonly lane: string;
}

/** A sprint that is to be made, changed, started or completed. `project`: of which a new one is, unless it is said otherwise. */
export type OfSprint =
  | { readonly what: "make"; readonly project: string | undefined }
  | { readonly what: "change" | "start" | "complete"; readonly id: number };

/** A page that is to be made, in a space and below another one; or one that is looked for. */
export type OfPage = { readonly what: "make"; readonly space?: string; readonly parent?: string } | { readonly what: "find" };

/** What a model is asked about. `since`: number of the latest event when one looked last; undefined: one never did. */
export interface AboutModel {
  readonly subject: string;
  readonly title: string;
  readonly since?: number | undefined;
}

export type Asked =
  | { readonly name: "palette" | "help" | "project" | "query" | "save-view" | "template" | "undo" }
  | { readonly name: "filter"; readonly field: FilterField | undefined; readonly at: Element | null }
  | { readonly name: "create"; readonly draft: Draft }
  | ({ readonly name: "field" } & Editing)
  | ({ readonly name: "choice" } & Choice)
  | ({ readonly name: "bulk" } & Bulk)
  | ({ readonly name: "own" } & OwnOf)
  | ({ readonly name: "approval" } & Asking)
  | ({ readonly name: "sprint" } & OfSprint)
  | ({ readonly name: "page" } & OfPage)
  | ({ readonly name: "model" } & AboutModel)
  | { readonly name: "operation"; readonly of: Operation };

export const asked = signal<Asked | undefined>(undefined);

export function dismiss(): void {
  asked.value = undefined;
}

export function openPalette(): void {
  asked.value = { name: "palette" };
}

export function openHelp(): void {
  asked.value = { name: "help" };
}

export function openMyChanges(): void {
  asked.value = { name: "undo" };
}

export function newProject(): void {
  asked.value = { name: "project" };
}

/** Ask for a new issue, in the project that one looks at unless another is named. */
export function create(more: Partial<Draft> = {}): void {
  write(drafted(more));
}

/** The same of a template, which is asked for first. */
export function createFrom(): void {
  asked.value = { name: "template" };
}

/** Kept at once, not when it was drawn: who closes it in between loses nothing. */
export function write(draft: Draft): void {
  keep(draft);
  asked.value = { name: "create", draft };
}

export function edit(field: Field, issues: readonly number[], at: Element | null = null): void {
  if (issues.length) asked.value = { name: "field", field, issues, at };
}

export function askOwn(of: OwnOf): void {
  asked.value = { name: "own", ...of };
}

export function askApproval(asking: Asking): void {
  asked.value = { name: "approval", ...asking };
}

export function askSprint(of: OfSprint): void {
  asked.value = { name: "sprint", ...of };
}

/** Of the project that one looks at. */
export function newSprint(): void {
  const place = here.peek();
  const beside = place.name === "sprint" ? tables.sprint.get(place.id)?.projects[0] : undefined;
  askSprint({ what: "make", project: place.name === "project" ? place.key : beside });
}

export function askPage(of: OfPage): void {
  asked.value = { name: "page", ...of };
}

export function askModel(about: AboutModel): void {
  asked.value = { name: "model", ...about };
}

export function choose(choice: Choice): void {
  asked.value = { name: "choice", ...choice };
}

/** Ask what to filter by: for the values of a field, or for a field first. */
export function filterBy(field: FilterField | undefined, at: Element | null): void {
  asked.value = { name: "filter", field, at };
}

/** The query as text. */
export function queryDialog(): void {
  asked.value = { name: "query" };
}

export function saveView(): void {
  asked.value = { name: "save-view" };
}

export function previewBulk(bulk: Bulk): void {
  asked.value = { name: "bulk", ...bulk };
}

/** What another program shared with the app, or a link that asks for a new issue: `/?new=Title&text=...&link=...`. */
export function createShared(): void {
  const shared = query.peek();
  const title = shared.get("new");
  if (title === null) return;
  const body = ["text", "link"].flatMap((name) => shared.get(name) || []).join("\n\n");
  go(withQuery({ new: null, text: null, link: null }), { replace: true });
  create(withShared(title, body));
}

export function runOperation(of: Operation): void {
  asked.value = { name: "operation", of };
}
