/** Every text of the pages of rules. */
import { number } from "../../ui/texts.ts";

export const w = {
  new: "New rule", none: "There is no rule yet.", newWhat: "When this happens and that holds, do something. Switch it on when it does what you mean.", one: "What sets it off, what it does, and what came of that.",
  project: "Project", everywhere: "All projects", sorts: "Sorts of triggers", all: "All sorts",
  when: "When", does: "Does", runs: "Runs", lastRun: "Last run", nextRun: (at: string) => `next ${at}`,
  rights: "It does what whoever saves it may do. Its language stands in", manual: "the manual",
  trigger: "What sets it off",
  kinds: { event: "Something happens", schedule: "At times", button: "Somebody presses a button", hook: "A request comes", state: "An issue is so for some time" },
  event: "Kind of event", eventWhat: "Such as issue.created; issue.* is all that begin so.",
  query: { event: "Only of issues that fit", schedule: "For each issue that fits", button: "For each issue that fits", hook: "For each issue that fits", state: "Issues that fit" },
  queryWhat: { event: "A query, such as priority = high. Empty: of all.", schedule: "A query. Empty: it runs once.", button: "A query. Empty: it runs once.", hook: "A query. Empty: it runs once, or for the issue that the request names.", state: "A query, such as status = review." },
  path: "Where requests go", pathWhat: "Whoever knows this address sets the rule off: POST to it. What it says as JSON fills in {{payload.name}}.", copyPath: "Copy the address", copied: "The address is copied.", newPath: "Another address", newPathWhat: "The one above opens nothing any more.", movedPath: "The rule has another address.",
  every: "Times", everyWhat: "Minute, hour, day, month and day of the week, as cron writes them: 0 9 * * mon-fri.", zone: "Time zone", zoneWhat: "Empty: the organisation's.", label: "What the button says",
  minutes: "Minutes that it fits", enabled: "It is on", enabledWhat: "Off, it can be tried and does nothing.",
  inWords: {
    event: (kind: string) => `${kind} happens`, schedule: (every: string, zone: string) => `at ${every}${zone && `, ${zone}`}`, button: (label: string) => `“${label}” is pressed`, state: (minutes: number) => `an issue is so for ${number(minutes)} min`,
    hook: "a request comes", fits: (query: string) => `of ${query}`,
  },
  conditions: "What must hold besides", conditionsWhat: "All of it. None: nothing more.", addCondition: "Add a condition", takeOutCondition: (at: number) => `Take out condition ${at}`,
  conditionKinds: { tql: "The issue fits", field: "A field", role: "Whoever acts is", other: "As JSON" }, conditionKind: (at: number) => `Sort of condition ${at}`,
  conditionQuery: (at: number) => `Query of condition ${at}`, field: (at: number) => `Field of condition ${at}`, op: (at: number) => `Comparison of condition ${at}`, value: (at: number) => `Value of condition ${at}`, role: (at: number) => `Role of condition ${at}`, json: (at: number) => `JSON of condition ${at}`,
  roles: ["owner", "admin", "member", "guest", "lead", "reporter", "viewer", "team:admins"],
  actions: "What it does", actionsWhat: "In this order. All of it stands, or nothing.", addAction: "Add an action…", empty: "Any operation", step: (at: number) => `Step ${number(at)}`, action: (at: number) => `Operation ${at}`, takeOutAction: (at: number) => `Take out operation ${at}`, up: (at: number) => `Move operation ${at} up`, down: (at: number) => `Move operation ${at} down`,
  input: (name: string, at: number) => `${name} of operation ${at}`, otherInputs: (count: number) => `${number(count)} more inputs`, how: "When and how", each: "For each issue that fits", eachOf: (at: number) => `Query of operation ${at}`, eachWhat: "A query, such as parent = {{key}}. Empty: once.",
  delay: "Wait minutes before it", onError: "When it is refused", errors: { stop: "Nothing of the run stands", go_on: "The rest stands without it" }, apply: "What the model answers is applied without review", leftOut: "left out", yes: "yes", no: "no",
  listHint: "One a line, or with commas between", jsonHint: "JSON", noJson: "Write this as JSON.", noOperation: "Choose an operation.", placeholders: "What texts may hold", placeholder: "Written", becomes: "Becomes", example: "Such as",
  hidden: "What it is given is for admins.",
  on: "Switch on", off: "Switch off", turnedOn: (name: string) => `${name} is on.`, turnedOff: (name: string) => `${name} is off. What waited is not run.`,
  made: (name: string) => `${name} is made.`, changed: (name: string) => `${name} is changed.`, deleted: (name: string) => `${name} is gone.`, deleteWhat: "It goes for good, with its log. What it did stays.",
  run: "Run now", runOf: (name: string) => `Run ${name} now`, try: "Would it have run?", tried: "As it is saved, it would have done this:", ran: "This came of it:",
  log: "Runs", logWhat: "200 at most, of 90 days, newest first.", noRuns: "It did not run yet.", failedAlone: "Only those that failed", about: "For", happened: "What came of it", well: "Done", failed: "Not done", bySystem: "the server", outside: "a request", trial: "tried",
} as const;
