/** The words of sprints. */
import { number, precisely } from "../ui/texts.ts";

const issues = (count: number): string => (count === 1 ? "1 issue" : `${number(count)} issues`);
const days = (count: number): string => (count === 1 ? "1 day" : `${number(count)} days`);

export const words = {
  about: "About the sprint",
  states: { planned: "Planned", active: "Runs", done: "Done" },
  left: (count: number) => (count < 0 ? `${days(-count)} over its end` : count === 0 ? "Ends today" : `${days(count)} left`),
  starts: (count: number) => (count < 0 ? `Was to start ${days(-count)} ago` : count === 0 ? "Starts today" : `Starts in ${days(count)}`),
  done: (done: number, all: number) => `${number(done)} of ${issues(all)} done`,
  points: (done: number, all: number) => `${precisely(done)} of ${precisely(all)} points`,
  scope: (added: number, removed: number) =>
    [added && `${number(added)} came in`, removed && `${number(removed)} went out`].filter(Boolean).join(" and ") + " since it started",
  report: "Report",
  start: "Start",
  complete: "Complete",
  change: "Change",
  make: "New sprint",
  titles: {
    make: "New sprint",
    change: (name: string) => `Change ${name}`,
    start: (name: string) => `Start ${name}`,
    complete: (name: string) => `Complete ${name}`,
  },
  firstDay: "First day",
  lastDay: "Last day",
  goal: "What it is for",
  of: "Of the projects",
  ofNone: "Choose a project, or a team below.",
  team: "Team",
  noTeam: "None",
  plan: (count: number) => `${issues(count)} ${count === 1 ? "is" : "are"} its plan; what comes in or goes out later is told as a change of its scope.`,
  outcome: (done: number, left: number) => `${issues(done)} done, ${number(left)} not.`,
  unfinished: "What is not done goes",
  next: (name: string) => `into ${name}, the next one`,
  backlog: "back to where work waits",
  other: "into",
  note: "What there is to say of it",
  made: (name: string) => `${name} made`,
  changed: (name: string) => `${name} changed`,
  started: (name: string) => `${name} started`,
  completed: (name: string) => `${name} completed`,
  deleted: (name: string) => `${name} deleted`,
  delete: "Delete",
  deleteWhat: "Its issues go back to where work waits. It can be taken back.",
  save: { make: "Make sprint", change: "Save", start: "Start sprint", complete: "Complete sprint" },
} as const;
