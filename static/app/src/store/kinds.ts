/** The things that the app keeps, with the names that `sync.snapshot` gives their columns. */
import type { Field, View as SavedView } from "@kbwork/client";

export type Priority = "urgent" | "high" | "medium" | "low" | "none";
export type Category = "triage" | "todo" | "in_progress" | "done";

export interface Issue {
  readonly id: number;
  readonly key: string;
  readonly project: string;
  readonly type: string;
  readonly title: string;
  readonly lane: string;
  readonly priority: Priority;
  readonly assignees: readonly string[];
  readonly reporter: string;
  readonly labels: readonly number[];
  readonly components: readonly number[];
  readonly parent: number | null;
  readonly sprint: number | null;
  readonly estimate: number | null;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly rank: string;
  readonly level: string | null;
  readonly blocked: boolean;
  readonly comments: number;
  readonly attachments: number;
  readonly checks: number;
  readonly checks_done: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly done_at: number | null;
  readonly seq: number;
  /** What was changed of an own field here and is not told by the server yet: values themselves are not among what is kept. */
  readonly [own: `values.${string}`]: unknown;
}

export interface Lane {
  readonly key: string;
  readonly name: string;
  readonly category: Category;
  readonly position: number;
  readonly outcome: string | null;
  readonly wip: number | null;
}

export interface IssueType {
  readonly key: string;
  readonly name: string;
  readonly level: number;
  readonly workflow: number | null;
  /** The template that a new issue of it begins with. The version before this one did not keep it. */
  readonly template?: number | null;
  readonly projects: readonly string[];
}

export interface Transition {
  readonly key: string;
  readonly from: readonly string[];
  readonly to: string;
  /** Who has to agree before an issue goes this way; none: nobody. */
  readonly approvers: readonly string[];
  /** How many of them. */
  readonly needed: number;
}

export interface Workflow {
  readonly id: number;
  /** Key of the lane that issues begin in. */
  readonly start: string;
  readonly lanes: readonly string[];
  readonly transitions: readonly Transition[];
  /** Projects, and their types that move along it. The version before this one did not keep it. */
  readonly used_by?: readonly { readonly project: string; readonly types: readonly string[] }[];
}

export interface Project {
  readonly key: string;
  readonly name: string;
  readonly lead: string | null;
  readonly default_type: string;
  /** The view that its issues are opened with. The version before this one did not keep it. */
  readonly default_view?: number | null;
  readonly my_role: string | null;
  readonly archived_at: number | null;
}

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly role: string;
  readonly state: string;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly project: string | null;
  readonly group: string | null;
}

export interface Component {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  readonly archived: boolean;
}

export interface Sprint {
  readonly id: number;
  readonly name: string;
  /** Keys of those that one sees; none: it is its team's alone. */
  readonly projects: readonly string[];
  readonly team: number | null;
  readonly state: "planned" | "active" | "done";
  readonly goal: string;
  /** `YYYY-MM-DD`, both. */
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** A field that the org made. */
export type OwnField = Readonly<Omit<Field, "description" | "personal" | "used">>;

export interface Team {
  readonly id: number;
  readonly name: string;
  readonly handle: string;
}

export type View = Readonly<Omit<SavedView, "external" | "count" | "notices">>;

/** Each kind that is kept; others are left to who needs them. */
export interface Kinds {
  issue: Issue;
  lane: Lane;
  type: IssueType;
  workflow: Workflow;
  project: Project;
  member: Member;
  label: Label;
  component: Component;
  sprint: Sprint;
  view: View;
  field: OwnField;
  team: Team;
}

export type Kind = keyof Kinds;
export type Id = number | string;
