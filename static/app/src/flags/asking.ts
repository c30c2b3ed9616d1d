/** Which dialog is open, and for what: the dialogs themselves are fetched when they are asked for first. */
import { signal } from "@preact/signals";
import type { Environment, Flag } from "@kbwork/client";
import type { Instruction } from "./model.ts";

export interface Reviewed {
  readonly project: string;
  readonly key: string;
  readonly environment: Environment;
  readonly instructions: readonly Instruction[];
  /** The version of the targeting there that they were made for. */
  readonly version: number;
  readonly onDone?: () => void;
  /** Somebody saved meanwhile. */
  readonly onMoved?: (now: Flag) => void;
}

export const reviewed = signal<Reviewed | undefined>(undefined);
/** The project that gets a new flag. */
export const flagIn = signal<string | undefined>(undefined);
export const projectAsked = signal(false);
export const environmentAsked = signal<{ readonly project: string; readonly of?: Environment } | undefined>(undefined);

export function review(what: Reviewed): void {
  reviewed.value = what;
}

export function newFlag(project: string): void {
  flagIn.value = project;
}

export function newProject(): void {
  projectAsked.value = true;
}

/** A new one, or what one of them asks for. */
export function editEnvironment(project: string, of?: Environment): void {
  environmentAsked.value = of ? { project, of } : { project };
}
