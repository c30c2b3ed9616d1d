/** Words and dates as people read them. Every text of the app that is not a name stands here. */
import { nowMs, today } from "../store/clock.ts";

const LANGUAGE = navigator.language;

export const t = {
  app: "kbwork",
  mine: "My work",
  issues: "All issues",
  starred: "Starred",
  projects: "Projects",
  views: "Views",
  view: "View",
  emptyView: "Nothing fits this view.",
  search: "Search or do anything",
  toSearch: "Search",
  allThatFits: (words: string) => `All that fits “${words}”`,
  newIssue: "New issue",
  newIssueIn: (column: string) => `New issue in ${column}`,
  newFromTemplate: "New issue from template",
  list: "List",
  board: "Board",
  table: "Table",
  calendar: "Calendar",
  timeline: "Timeline",
  filter: "Filter by words",
  help: "Keyboard",
  keysWhat: "What can be done here, and its keys. Click a key to press another.",
  plainKeys: "Keys of one letter do something",
  usualKeys: "As usual",
  pressKeys: "Press keys",
  changeKeys: (title: string, keys: string) => `Keys of “${title}”: ${keys}. Change them`,
  connect: "Connect programs",
  manual: "Manual",
  earlier: "Earlier",
  manualOfHere: "What the manual says of this screen",
  account: "Account",
  signOut: "Sign out",
  signOutAnyway: "Sign out anyway",
  unsent: (count: number) => `${count} ${count === 1 ? "change was" : "changes were"} not sent yet, and would be lost.`,
  skip: "To the issues",
  navigation: "Places",
  close: "Close",
  open: "Open as a page",
  save: "Save",
  cancel: "Cancel",
  edit: "Edit",
  send: "Comment",
  status: "Status",
  priority: "Priority",
  assignee: "Assignee",
  labels: "Labels",
  label: "Label",
  component: "Component",
  components: "Components",
  sprint: "Sprint",
  sprints: "Sprints",
  noSprint: "No sprint",
  runningSprint: "The one that runs",
  newSprint: "New sprint",
  newPage: "New page",
  goToPage: "Go to page…",
  planned: "planned",
  runs: (end: string | null) => (end ? `runs until ${end}` : "runs"),
  estimate: "Estimate",
  start: "Start",
  from: "From",
  addField: "Field",
  noEstimate: "No estimate",
  notBelow: "Below none",
  noWay: "no way from here",
  asksOthers: "others have to agree",
  days: { today: "Today", tomorrow: "Tomorrow", friday: "Friday", monday: "Next Monday", weeks: "In two weeks" },
  reporter: "Reporter",
  me: "Me",
  conditions: { open: "Open", done: "Done", mine: "Mine", unassigned: "Unassigned", overdue: "Overdue", blocked: "Blocked" },
  groups: {
    status: "Status", assignee: "Assignee", priority: "Priority", label: "Label", type: "Type", sprint: "Sprint", project: "Project", none: "Nothing",
  },
  sorts: {
    usual: "As usual", priority: "Priority", due: "Due", updated: "Changed last", created: "Newest", title: "Title", estimate: "Estimate",
  },
  filterBy: "Filter",
  groupBy: "Group by",
  thenBy: "Then by",
  groupFolded: "folded",
  groupWithin: (title: string) => `within ${title}`,
  sortBy: "Sort by",
  display: "Display",
  closeRows: "Narrow rows",
  themes: { light: "Light theme", dark: "Dark theme", system: "Theme of the system" },
  turnDirection: "Turn lines: from right to left, or back",
  layout: "Layout",
  is: "is",
  not: "Not",
  isNot: "is not",
  isAnyOf: "is one of",
  turnRound: "Turn round",
  removeFilter: (what: string) => `Remove ${what}`,
  clear: "Clear",
  asText: "As text",
  asTextWhat: "Write the query as text, with completion, and see why an issue is in it or not",
  saveView: "Save as view",
  askModel: "Ask a model",
  updateView: "Save in this view",
  resetView: "As the view has it",
  withoutView: "All issues of the project",
  hideDone: "Hide what is done",
  showDone: (count: number) => `Show ${number(count)} done`,
  due: "Due",
  project: "Project",
  title: "Title",
  type: "Type",
  takeOff: "Not below it",
  description: "Description",
  parent: "Parent",
  comments: "Comments",
  noDescription: "No description yet.",
  writeComment: "Write a comment",
  nobody: "Nobody", server: "The server",
  none: "None",
  yes: "Yes",
  no: "No",
  required: "required",
  issue: "Issue",
  change: (field: string) => `Change ${field}`,
  stars: (count: number) => `${count} of 5`,
  noLabels: "No labels",
  noDate: "No date",
  loading: "Loading…",
  newVersion: "There is a newer version of kbwork.",
  loadAgain: "Load it",
  nothingFits: "Nothing fits.",
  whatToDo: "What is to be done? Or paste a list",
  create: "Create issue",
  alike: "Is it one of these?",
  severalWhat: (count: number) => `These are ${count} lines: make an issue of each?`,
  makeSeveral: (count: number) => `Make ${count} issues`,
  several: (count: number) => `${count} issues made`,
  asOne: "One issue of it all",
  more: "Create more",
  emptyMine: "Nothing is assigned to you.",
  emptyMineWhat: "What somebody gives you, or you take, stands here.",
  lookAt: "Meanwhile, look at",
  emptyIssues: "There are no issues yet.",
  emptyIssuesWhat: "Write down the first thing that is to be done, or paste a list: each line becomes an issue.",
  emptyFilter: "No issue fits that.",
  noProjects: "There is no project yet.",
  noProjectsWhat: "An issue belongs to a project: make the first one.",
  firstSteps: "See the first steps",
  newProject: "New project",
  makeProject: "Make project",
  name: "Name",
  key: "Key",
  keyWhat: (key: string) => `Its issues are called ${key}-1, ${key}-2 and so on.`,
  noAnswer: "The server does not answer. What you wrote stays here.",
  nowhere: "There is nothing at this address.",
  rooms: { boards: "Boards", flags: "Flags", inbox: "Inbox", pages: "Pages", requests: "Requests", search: "Search", settings: "Settings" },
  commands: {
    undo: "Take the last change back", next: "Next", previous: "Previous", nextCard: "Next card", previousCard: "Previous card",
    left: "Column to the left", right: "Column to the right", laneBefore: "Move to the lane before", laneNext: "Move to the next lane",
    peek: "Look at it beside the list", select: "Select", selectAll: "Select all that are shown", back: "Back", title: "Change title",
    comment: "Write a comment", fold: "Fold or unfold the group", foldOuter: "Fold or unfold the group around it",
    foldAll: "Fold or unfold all groups", unfold: "Unfold", copyKey: "Copy key", list: "List", goTo: "Go to", everywhere: "Everywhere", look: "Look",
  },
  waits: "Not sent yet",
  overdueSince: (date: string) => `Overdue since ${date}`,
  ofLimit: (limit: number) => ` of ${number(limit)}`,
  moreInList: (count: number) => `and ${number(count)} more: the list has them`,
  checklist: "Checklist",
  files: "Files",
  sampleProject: "Web shop",
  inMarkdown: (what: string) => `${what} (Markdown)`,
  unread: (count: number) => `${number(count)} unread`,
  partAbsent: "This part of the app is not here yet, and the server does not answer.",
  goMine: "Go to my work",
  noIssue: (key: string) => `${key} is not here, or not yours to see.`,
  retry: "Try again",
  discard: "Leave it as it is",
  takeMine: "Keep mine",
  takeTheirs: "Take theirs",
  offline: (count: number) =>
    count ? `Offline. ${count} ${count === 1 ? "change waits" : "changes wait"}.` : "Offline. You see what was here last.",
  created: (key: string) => `${key} created`,
  undone: (what: string) => `Taken back: ${what}`,
  myChanges: "What I changed",
  nothingToUndo: "There is nothing to take back.",
  notSentYet: "What you changed last was not sent yet: it can be taken back when it was.",
  textAway: "The text is not here, and the server does not answer.",
  notSignedOut: "You are not signed out: the server does not answer.",
  copied: (what: string) => `Copied ${what}`,
  bringIn: "Show what came meanwhile",
  came: (count: number) => `${number(count)} new`,
  selected: (count: number) => `${count} selected`,
  issuesCount: (count: number) => (count === 1 ? "1 issue" : `${number(count)} issues`),
  changed: (field: string, key: string) => `${field} of ${key}`,
  theirs: (who: string, field: string, value: string) => `${who} made ${field} ${value} meanwhile`,
  standsAt: (key: string, where: string, place: number, count: number) => `${key}: ${where}, ${number(place)} of ${number(count)}`,
  theyChanged: (who: string, field: string) => `${who} changed ${field} meanwhile`,
  ended: "You are signed out.",
} as const;

export const PRIORITIES = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
  none: "No priority",
} as const;

/** Made when it is needed first: each of them takes the browser some milliseconds. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const numbers = once(() => new Intl.NumberFormat(LANGUAGE));
const short = once(() => new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short" }));
const long = once(() => new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short", year: "numeric" }));
const moments = once(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" }));
const exact = once(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "short" }));
const relative = once(() => new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "narrow" }));
const collator = once(() => new Intl.Collator(LANGUAGE, { numeric: true }));

/** Make what the first list needs, while its issues are on their way: a slow machine takes a sixth of a second. */
export function warm(): void {
  for (const make of [numbers, collator, relative]) make();
}

export function number(value: number): string {
  return numbers().format(value);
}

/** A number with all its digits. */
export function precisely(value: number): string {
  return value.toLocaleString(LANGUAGE, { maximumFractionDigits: 20 });
}

/** `currency`: three letters. */
export function money(amount: number, currency: string): string {
  return amount.toLocaleString(LANGUAGE, { style: "currency", currency, maximumFractionDigits: 20 });
}

/** So many seconds, as hours, minutes and seconds. */
export function duration(seconds: number): string {
  const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]] as const;
  return parts.flatMap(([count, unit]) => (count ? `${count} ${unit}` : [])).join(" ") || "0 min";
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A size, as people say it. */
export function bytes(size: number): string {
  const step = size < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
  const format = { style: "unit", unit: UNITS[step]!, unitDisplay: "short", maximumFractionDigits: step > 1 ? 1 : 0 } as const;
  return new Intl.NumberFormat(LANGUAGE, format).format(size / 1000 ** step);
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function day(text: string): string {
  const date = new Date(`${text}T12:00:00`);
  return (date.getFullYear() === today().getFullYear() ? short : long)().format(date);
}

/** A moment, in Unix seconds, as one says it. */
export function when(at: number): string {
  const seconds = Math.min(0, at - nowMs() / 1000); // what is between two clocks makes nothing to come
  const size = Math.abs(seconds);
  const ago = relative();
  if (size < 60) return ago.format(0, "second");
  if (size < 3600) return ago.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return ago.format(Math.round(seconds / 3600), "hour");
  if (size < 7 * 86_400) return ago.format(Math.round(seconds / 86_400), "day");
  const date = new Date(at * 1000);
  return (date.getFullYear() === today().getFullYear() ? short : long)().format(date);
}

/** A moment, in Unix seconds, that is to come or was, as it stands among other fields. */
export function moment(at: number): string {
  return moments().format(new Date(at * 1000));
}

export function exactly(at: number): string {
  return exact().format(new Date(at * 1000));
}

/** A day so many days from today, as `YYYY-MM-DD` in the person's own zone. */
export function dayFromNow(days: number): string {
  const date = today();
  date.setDate(date.getDate() + days); // some days have an hour more
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Names in the order in which people look for them. */
export function compare(one: string, other: string): number {
  return collator().compare(one, other);
}
