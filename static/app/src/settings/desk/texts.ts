/** Every text of the pages of service desks. */
import { number } from "../../ui/texts.ts";

export const w = {
  none: "There is no service desk yet.", noneWhat: "Open one, and people outside ask for things at /portal and by mail.",
  project: "Project", openDesk: "Open a desk", openWhat: "A project becomes a desk: what customers ask for are its issues.", noProject: "Every project that you see is a desk already.",
  open: "Open", shut: "Shut", guests: "Desks are kept by members.", gone: (key: string) => `${key} is no service desk, or not yours to see.`,
  parts: { desk: "Desk", types: "Requests", queues: "Queues", replies: "Replies", customers: "Customers", mail: "Mail" }, partsOf: (name: string) => `Pages of ${name}`,
  portal: "See the portal", requests: "Work on requests", manual: "More stands in", manualPage: "the manual",

  enabled: "The desk is open", enabledWhat: "While it is shut the portal shows neither the desk nor its requests, and nothing comes in.",
  nameWhat: "What customers read.", intro: "Introduction", introWhat: "Stands above its requests, in Markdown.", languages: "Languages", languagesWhat: "That it answers in, such as en or de-AT. None: it does not say.",
  space: "Space of articles", spaceWhat: "Its published pages are suggested while somebody asks.", signup: "Anybody may make an account", signupWhat: "Otherwise your people add customers, and mail of others is not taken.",
  agents: "Customers read who answers", agentsWhat: "Otherwise the desk answers under its own name.", survey: "Ask how it went when a request is closed", surveyWhat: "On the request, and five minutes later by a letter. From now on.",
  reopen: "Days in which a closed request can be reopened", reopenWhat: "Empty: always.", replyTo: "Address that answers to its letters go to", replyToWhat: "Empty: that of the server.", changed: (name: string) => `${name} is changed.`,
  logo: "Picture", logoWhat: "On the portal; without one that of the organisation. PNG, JPEG, GIF or WebP, at most 1 MB.", logoNow: "Picture of the desk", logoChoose: "Choose a picture", logoRemove: "Remove", logoSet: "The desk has its picture.", logoGone: "The desk has that of the organisation.",

  typesWhat: "What may be asked for, in the order of the portal, each by a form of its own.", newType: "New request", noTypes: "Nothing can be asked for yet.", typeWhat: "What it is for", group: "Heading", groupWhat: "Under which it stands. Empty: none.", becomes: "Becomes", issueType: "Issue type that it becomes",
  form: "Form", formWhat: "Questions in order, behind the title. None: it asks for a description.", questions: (count: number) => `${number(count)} ${count === 1 ? "question" : "questions"}`, hidden: "Hidden", hide: "Customers do not see it", hideWhat: "Its requests stay.",
  approvers: "Who has to agree first", approversWhat: "Members, team:<id> and customer:<id>, with those whom the workflow names.",
  question: (at: number) => `Question ${at}`, asksForAt: (at: number) => `Question ${at}: asks for`, label: "Words of the question", labelAt: (at: number) => `Question ${at}: words`, help: "What to fill in", helpAt: (at: number) => `Question ${at}: what to fill in`, required: "Must be answered", requiredAt: (at: number) => `Question ${at}: must be answered`,
  plain: { description: "Description", priority: "Priority", due_date: "Needed by" }, options: (of: string) => `Choices: ${of}.`, optionsWhere: "Own fields", shownIfAt: (at: number) => `Question ${at}: asked`, always: "Always", onlyIf: (name: string) => `If “${name}” is`, ownCondition: "By a condition of its own", valueAt: (at: number) => `Question ${at}: answer before it`,
  up: (name: string) => `Move ${name} up`, down: (name: string) => `Move ${name} down`, takeOut: (at: number) => `Take question ${at} out`, addQuestion: "Add a question", notThere: (field: string) => `${field} (not of this type)`,
  moved: (name: string) => `${name} is moved.`, made: (name: string) => `${name} is made.`, deleted: (name: string) => `${name} is gone.`, deleteType: "Its requests get the type that takes its place.", heir: "Its requests become", noHeir: "Nothing: it has none",

  queuesWhat: "What the people of the desk work off, in the order in which they stand beside the requests.", newQueue: "New queue", noQueues: "There is none. Everybody sees what is open, unassigned and theirs.", query: "Query", queryWhat: "A condition on the issues of the project. Empty: all of them.", order: "Order", orderWhat: "As behind order by, such as priority, due. Empty: by rank.", team: "Team whose work it is", count: "In it now", late: (count: number) => `${number(count)} late`, unknown: "not known", deleteQueue: "What is in it stays.",

  repliesWhat: "What is said often. On a request a reply is written by / and its shortcut.", newReply: "New reply", noReplies: "Nothing is kept yet.", text: "Text", textWhat: "Markdown. Filled in are:", folder: "Folder", folderWhat: "Heading that it stands under.", shortcut: "Shortcut", shortcutWhat: "One word, typed behind a slash.", share: "Everybody at the desk has it", where: "For", here: "This desk", everywhere: "All desks", shared: "Shared", own: "Yours", whose: "Whose", used: "Used", deleteReply: "Nobody has it any more.",

  customersWhat: "Who asked for something here, or may. They see the portal alone.", noCustomers: "Nobody is a customer yet.", blockedAlone: "Blocked alone", blocked: "Blocked", active: "Has a password", asked: "Requests", seen: "On the portal last", newCustomer: "New customer", email: "Address",
  block: "Block", blockOf: (name: string) => `Block ${name}`, blockWhat: "They are signed out, and what they mail is ignored.", letIn: "Let in", letInOf: (name: string) => `Let ${name} in`, isBlocked: (name: string) => `${name} is blocked.`, isIn: (name: string) => `${name} is let in.`,
  newPassword: "New password", newPasswordOf: (name: string) => `New password of ${name}`, newPasswordWhat: "They are signed out everywhere.", password: (name: string) => `Password of ${name}`, passwordWhat: "Hand it over: it is shown this once.", copyPassword: "Copy the password",

  mailWhat: "Mail that a service posts to this address becomes requests. It opens the desk: give it to the mail service alone.", show: "Show the address", address: "Address for the mail service", copy: "Copy the address", boxes: "Mailboxes that kbwork reads itself stand under", boxesPage: "Mail", renew: "Give it another address", renewWhat: "Mail to the former one is not taken any more.", renewed: "The desk has another address.",
} as const;

/** What is filled in where a reply says so. */
export const PLACES = ["key", "title", "status", "request_type", "desk", "link", "customer.name", "customer.first_name", "me.name", "today"] as const;
