/** Every text of the pages of webhooks. */
import { number } from "../../ui/texts.ts";

export const w = {
  new: "New webhook", none: "There is no webhook yet.", one: "What it hears, where it sends it, and what came of that.", newWhat: "It hears what you may hear of, from the moment when it is made.",
  address: "Address", addressWhat: "Each event is posted there as JSON, signed.", events: "Kinds of events", eventsWhat: "Such as issue.created; issue.* is all that begin so, * is all. None: what rules send there alone.",
  manual: "What is sent, and how it is checked, stands in", manualPage: "the manual", kinds: "All kinds of events",
  project: "Project", everyProject: "Every project that its author sees", goneProject: "One that you do not see", query: "Only of issues that fit", queryWhat: "A query, such as priority = high. Empty: of all.",
  fields: "Fields that go along", fieldsWhat: "Of what it is about, such as title. None: the event alone.", headers: "Headers", headersWhat: "One a line, such as Authorization: Bearer abc. Values are sealed and never shown again; a name with nothing behind it keeps its value.",
  batch: "Gather for seconds", batchWhat: "0: each event goes by itself.",
  hears: (what: string) => `Hears ${what}`, lastTry: "Last try", failures: (count: number) => `${number(count)} in a row not taken`,
  states: { ok: "On", failing: "Not taken", disabled: "Off" }, answered: (status: number) => `answered ${status}`, noAnswer: "no answer",
  by: (name: string) => `It hears what ${name} may hear of. Whoever saves it takes it over.`,
  on: "Switch on", off: "Switch off", turnedOn: (name: string) => `${name} is on.`, turnedOff: (name: string) => `${name} is off. What waited is dropped.`,
  made: (name: string) => `${name} is made.`, changed: (name: string) => `${name} is changed.`, deleted: (name: string) => `${name} is gone.`,
  deleteWhat: "It goes for good, with its secret and the log. What waits is not sent.",
  test: "Send a test", tested: (status: number, ms: number) => `The test was taken: ${status} in ${number(ms)} ms.`, testFailed: (why: string) => `The test was not taken: ${why}`,
  secret: "Secret", secretWhat: "Its requests are signed with it.", secretIs: "This is the secret. It is shown this once.", copySecret: "Copy the secret", copied: "The secret is copied.",
  rotate: "Give it a new secret", rotateWhat: "The one that signs now stops signing, at once or when the hours are over.", keep: "Hours that both sign", rotated: "It has a new secret.",
  log: "Deliveries", logWhat: "The last 1,000 of 30 days, newest first, and all that waits.", noDeliveries: "Nothing was sent yet.", noneSo: "None stands so.", all: "All of them", event: "Event", answer: "Answer", tries: "Tries", more: "Show more",
  deliveryStates: { queued: "Waits", sent: "Taken", failed: "Given up", dropped: "Dropped" }, test_: "test", inMs: (ms: number) => `${number(ms)} ms`,
  again: "Send again", againOf: (event: string) => `Send ${event} again`, sentAgain: (count: number) => `${number(count)} sent again.`, whyFailed: "Why it was not taken", next: "Tried next", request: "What is sent", response: "What was answered",
  noRequest: "Nothing was sent yet, or it is for its author alone.", noResponse: "Nothing.", id: "Id",
} as const;

/** Of an issue; other subjects have others, which can be written as well. */
export const FIELDS = ["key", "title", "body", "status", "priority", "type", "project", "assignees", "labels", "components", "reporter", "due_date", "estimate", "parent", "sprint", "updated_at"] as const;
