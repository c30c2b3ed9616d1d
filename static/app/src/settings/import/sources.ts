/** Where work comes from, and what each way asks for. */
import { s } from "../texts.ts";

export interface Source {
  readonly id: keyof typeof s.import.sources;
  /** As `imports.open` calls it. */
  readonly source: string;
  /** A file is sent; else a repository is fetched. */
  readonly accept?: string;
}

export const SOURCES: readonly Source[] = [
  { id: "github", source: "github" },
  { id: "gitlab", source: "gitlab" },
  { id: "csv", source: "csv", accept: ".csv,.tsv,.txt,text/csv" },
  { id: "kbz", source: "kbz", accept: ".kbz,.zip" },
  { id: "github-file", source: "github", accept: ".json" },
  { id: "gitlab-file", source: "gitlab", accept: ".json" },
  { id: "trac", source: "trac", accept: ".db,.sqlite,.sqlite3" },
  { id: "redmine", source: "redmine", accept: ".db,.sqlite,.sqlite3" },
];

/** What a column of a table can hold, as `imports.map_set` names it. */
export const COLUMN_FIELDS = [
  "id", "title", "body", "type", "status", "resolution", "priority", "author", "assignees", "labels", "components", "parent",
  "project", "estimate", "start_date", "due_date", "due_date d/m", "created_at", "created_at d/m", "updated_at", "updated_at d/m",
  "done_at", "done_at d/m", "url", "comment", "other_id", "relation:blocks", "relation:blocks back", "relation:relates", "relation:duplicates",
] as const;
