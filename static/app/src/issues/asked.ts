/** Which dialog is asked for. They are fetched apart from the first screen, so that they are asked for by name. */
import { signal } from "@preact/signals";
import { type Draft, drafted } from "./drafted.ts";
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
  readonly options: readonly { readonly title: string; readonly run: () => void }[];
}

export type Asked =
  | { readonly name: "palette" | "help" | "project" }
  | { readonly name: "create"; readonly draft: Draft }
  | ({ readonly name: "field" } & Editing)
  | ({ readonly name: "choice" } & Choice);

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

export function newProject(): void {
  asked.value = { name: "project" };
}

/** Ask for a new issue, in the project that one looks at unless another is named. */
export function create(more: Partial<Draft> = {}): void {
  asked.value = { name: "create", draft: drafted(more) };
}

export function edit(field: Field, issues: readonly number[], at: Element | null = null): void {
  if (issues.length) asked.value = { name: "field", field, issues, at };
}

export function choose(choice: Choice): void {
  asked.value = { name: "choice", ...choice };
}
