/** Every text of working on requests. */
import { number } from "../ui/texts.ts";

export const w = {
  queues: "Queues", usual: { us: "Waits for us", unassigned: "Unassigned", mine: "Mine", open: "All open", done: "Done lately" },
  empty: { us: "Nobody waits for an answer.", unassigned: "Somebody has each of them.", mine: "None of them is yours.", open: "No request is open.", done: "None was closed in 30 days." },
  emptyQueue: "Nothing is in this queue.", late: (count: number) => `${number(count)} late`, inIt: (count: number) => `${number(count)} in it`,
  desk: "Desk", settings: "Set up the desk", away: "The server does not answer, and the requests are not here.", noDesk: (key: string) => `${key} is no desk that you see.`, none: "You work at no service desk.", noneWhat: "What customers ask for stands here, once a project of yours is one.", open: "Open a desk",
  ourTurn: "Our turn", theirTurn: "Their turn", us: "Waits for us", them: "Waits for the customer", whose: "Customer", said: (what: string) => `Said last ${what}`,
  nextQueue: "Next queue", lastQueue: "Queue before", toQueue: (name: string) => `Queue: ${name}`, newRequest: "New request",
  create: { type: "What is asked for", customer: "Customer", customerWhat: "Address of a customer; of somebody new, too.", title: "Title", channel: "It came", make: "Make the request", made: (key: string) => `${key} is made`, noTypes: "Nothing can be asked for at this desk yet.", channels: { phone: "by phone", mail: "by mail", chat: "by chat", walk_in: "in person" } },

  card: "Customer", takesPart: "Takes part", people: "Who sees it", others: (count: number) => `${number(count)} other ${count === 1 ? "request" : "requests"}`, noOthers: "No other request", blocked: "Blocked", notMailed: "Is not mailed",
  rated: (score: number) => `Rated ${score} of 5`, came: (way: string) => ({ portal: "on the portal", mail: "by mail", chat: "by chat", phone: "by phone", walk_in: "in person" })[way] ?? way,
  requester: "Customer who asked", addPerson: "Add somebody", addWhat: "Address of a customer; of somebody new, too.", add: "Add", remove: (name: string) => `${name} sees it no more`, peopleWhat: "They read the request and what is said to its customers, and are mailed.", change: "Change", changed: "Who sees the request is changed.",
  waiting: "Goes later", goes: (at: string) => `Goes ${at}`, failed: "Did not go", takeBack: "Take back", takenBack: "The reply does not go.", by: (name: string) => `by ${name}`,

  canned: "Canned reply", noCanned: "There is no canned reply yet: they are kept in the settings of the desk.", later: "Send later", now: "Send now", laterAt: "When it goes", then: "Then", stays: "it stays as it is", moves: (lane: string) => `move to ${lane}`, times: { hour: "In an hour", evening: "This evening at 18:00", morning: "Tomorrow at 9:00", monday: "Next Monday at 9:00" }, other: "Another time",
  isSpam: (key: string) => `${key} is in the trash`, isBlocked: (key: string) => `${key} is in the trash, and who sent it is blocked`, back: "Take back", cameBack: (key: string) => `${key} is back`,
} as const;
