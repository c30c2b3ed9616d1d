/** Where one was last: the project, and in each the environment. It goes with the tab, and when one signs out. */
import { draftOf, keepDraft } from "../store/drafts.ts";

const PROJECT = "flags.project";
const ENVIRONMENT = "flags.environment ";

export function keptProject(): string {
  return draftOf(PROJECT);
}

export function keepProject(key: string): void {
  keepDraft(PROJECT, key);
}

export function keptEnvironment(project: string): string {
  return draftOf(ENVIRONMENT + project);
}

export function keepEnvironment(project: string, key: string): void {
  keepDraft(ENVIRONMENT + project, key);
}
