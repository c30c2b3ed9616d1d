/** Every text of the pages of reports. */
import { number } from "../../ui/texts.ts";

export const w = {
  new: "New report", none: "There is no report yet.", newWhat: "A query that is kept, and run when you say.", one: "What it asks, when it runs, who is told, and what it found.",
  every: "Runs", everys: { manual: "When somebody runs it", daily: "Each day at 8:00", weekly: "Each Monday at 8:00", monthly: "On the first at 8:00" },
  recipients: "Who is told", recipientsWhat: "Members and teams. Admins read the first rows in their inbox, others its name alone.", admins: "All admins", team: (name: string) => `Team ${name}`,
  lastRun: "Last run", rows: "Rows", failed: "Failed", next: (at: string) => `Next: ${at}`, error: "Its last run found nothing:",
  made: (name: string) => `${name} is kept.`, changed: (name: string) => `${name} is changed.`, deleted: (name: string) => `${name} is gone.`, deleteWhat: "It goes for good, with what it found.",
  run: "Run now", ran: (name: string, rows: number) => `${name} found ${number(rows)} ${rows === 1 ? "row" : "rows"}.`,
  found: "What it found", foundWhat: "The first 20 rows of its last run that went well.",
  ask: "Ask", askWhat: "The events of all projects, in SQL. Nothing is kept by that.", query: "Query in SQL", queryWhat: "One SELECT over events(seq, kind, subject, actor, actor_kind, via, at, payload). Ctrl+Enter asks.", manual: "Ten queries to begin with stand in", manualPage: "the manual",
  asks: "Ask", asking: "Asking…", keepIt: "Keep as a report", begin: "Begin with…", answer: "What was found", nothing: "Nothing was found.", answered: (rows: number, ms: number, cut: boolean) => `${number(rows)}${cut ? " of more" : ""} ${rows === 1 ? "row" : "rows"} in ${number(ms)} ms`,
  csv: "Save as CSV", csvName: "found.csv",
  export: "Export", exportWhat: "Events of some days as a file, days of UTC. 200,000 at most.", from: "First day", to: "Last day", format: "Format", formats: { ndjson: "JSON, one a line", parquet: "Parquet" }, save: "Export", exported: (count: number, cut: boolean) => `${number(count)} events are saved.${cut ? " There are more: take fewer days." : ""}`,
  samples: [
    { title: "Events of each day", sql: "select date(at, 'unixepoch') as day, count(*) as events\nfrom events\ngroup by day" },
    { title: "New issues of each week", sql: "select strftime('%G-W%V', at, 'unixepoch') as week, count(*) as issues\nfrom events\nwhere kind = 'issue.created'\ngroup by week" },
    { title: "Moves into each lane in 30 days", sql: "select payload ->> '$.to' as lane, count(*) as moves\nfrom events\nwhere kind = 'issue.transitioned' and at > unixepoch() - 30 * 86400\ngroup by lane\norder by moves desc" },
    { title: "Who did most in a week", sql: "select actor, count(*) as events\nfrom events\nwhere at > unixepoch() - 7 * 86400\ngroup by actor\norder by events desc\nlimit 20" },
  ],
} as const;
