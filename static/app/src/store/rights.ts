/** What somebody may do by their role, beyond what the server says of each thing. */
import { me } from "./session.ts";
import { tables } from "./tables.ts";

/** Whoever keeps what belongs to a project: its leads, and admins of the org. */
export function keeps(project: string): boolean {
  return isAdmin() || leads(project);
}

export function leads(project: string): boolean {
  return tables.project.watch(project)?.my_role === "lead";
}

/** Whoever works in a project, and does not only look or report. */
export function works(project: string): boolean {
  return ["lead", "member"].includes(tables.project.watch(project)?.my_role ?? "");
}

/** Owners are, too. */
export function isAdmin(): boolean {
  return me.value?.role === "admin" || me.value?.role === "owner";
}
