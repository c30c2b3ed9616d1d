/** The words of the page of search. */
import { number } from "../ui/texts.ts";

export const w = {
  title: "Search",
  field: "Search everything",
  hint: 'Words, "a phrase", -without',
  kinds: "Kinds",
  projects: "Projects",
  states: "States",
  state: { open: "Open", done: "Done", mine: "Mine", unassigned: "Unassigned", archived: "Archived" },
  kind: {
    issue: "Issues", page: "Pages", comment: "Comments", attachment: "Files", asset: "Assets", project: "Projects", space: "Spaces", member: "People",
    team: "Teams", label: "Labels", view: "Views", board: "Boards", flag: "Flags",
  } as Readonly<Record<string, string>>,
  kindOf: {
    issue: "Issue", page: "Page", comment: "Comment", attachment: "File", asset: "Asset", project: "Project", space: "Space", member: "Person", team: "Team",
    label: "Label", view: "View", board: "Board", flag: "Flag",
  } as Readonly<Record<string, string>>,
  found: (count: number, more: boolean) => (more ? `More than ${number(count)}` : count === 1 ? "1 found" : `${number(count)} found`),
  results: "What was found",
  more: "Show more",
  asList: "As a list of issues",
  group: "Search",
  toField: "To what is looked for",
  next: "Next", previous: "Previous", open: "Open", peek: "Look at it beside the list",
  begin: "What are you looking for?",
  beginWhat: "Issues, pages, comments, files, people, flags: all that you may see.",
  recent: "You looked at these last",
  nothing: "Nothing fits.",
  nothingWhat: "Fewer words find more. Words that are a letter or two away were looked for, too.",
  withoutFilters: "Look without the filters",
  away: "The server does not answer: what is found is found in the titles that are here.",
} as const;
