/** What the extension says. */
import { Problem, Unreachable } from "@kbwork/client";

export const words = {
  program: "Visual Studio Code",
  address: "Address of your kbwork",
  addressHint: "https://work.example.org",
  noAddress: "This is no address: it begins with https:// or http://.",
  otherAddress: "$(add) Another address…",
  unnamed: "No kbwork is named yet.",
  signedOut: (address: string) => `You are not signed in at ${address}.`,
  refused: (address: string) => `${address} refuses the key of this editor: it ended, or somebody revoked it.`,
  offline: (address: string) => `${address} does not answer.`,
  connect: "Connect",
  signIn: "Sign In",
  tryAgain: "Try Again",
  waiting: (code: string, address: string) => `Let this editor in by the code ${code}, in your browser at ${address}/device`,
  welcome: (name: string) => `Signed in as ${name}.`,
  signedOutNow: "This editor has forgotten its key. The page “API keys” of your kbwork revokes it.",
  shownOld: "No answer: what was known stands here",
  wrongQuery: "The query of the setting does not fit",
  open: "Open",
  which: "Which issue?",
  whichHint: "One of yours, or type a key",
  noWay: (key: string) => `No way leads on from where ${key} stands.`,
  noFinish: (key: string) => `No way leads from where ${key} stands to one that is done.`,
  toStatus: (key: string) => `Where does ${key} go?`,
  asked: (field: string) => `${field} is asked for on the way`,
  needed: "Something has to stand here.",
  moved: (key: string, status: string) => `${key} is ${status} now.`,
  agreed: (key: string) => `Others have to agree before ${key} goes there: ask them on its page.`,
  copied: (text: string) => `Copied ${text}.`,
  branch: "Name of the branch",
  noBranchName: "Git takes no such name.",
  branched: (name: string) => `You are on ${name}.`,
  noGit: (name: string) => `There is no Git here: the name ${name} is copied.`,
  repository: "In which repository?",
  title: "What is it about?",
  project: "In which project?",
  projectHint: "The one of last time stands first",
  noProject: "There is no project in which you may make issues.",
  makeBranch: "Branch",
  changeStatus: "Change Status",
  finish: "Finish",
  copyKey: "Copy Key",
  sure: "Run",
  waits: (count: number) => (count === 1 ? "1 entry waits" : `${count} entries wait`),
  made: (key: string, title: string) => `Made ${key}: ${title}`,
  makeIssue: "kbwork: Make an issue of this",
  noTodo: "No TODO stands on this line.",
  lostLine: (key: string) => `Made ${key}, but the line has changed meanwhile: the key is copied.`,
  query: "Query",
  queryHint: "Such as: project = WEB and open order by updated desc",
  runQuery: "Find",
  everything: "All issues",
  lately: "lately",
  nothing: "Nothing fits.",
  nothingSaid: "–",
  hours: (count: number) => `${count} h`,
  found: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  snooze: "Until when?",
  because: (reason: string) => `because ${reason}`,
  operation: "What is to be run?",
  run: "$(play) Run",
  runHint: (op: string) => `${op}: run it, or say more`,
  leaveOut: "Leave it out",
  yes: "yes",
  no: "no",
  noNumber: "This is no number.",
  noJson: "This is no JSON.",
  list: "With commas between",
  json: "as JSON",
  takesAway: (op: string, title: string) => `${title}? ${op} takes something away.`,
  runs: (op: string) => `Runs ${op}`,
  nobody: "nobody",
  on: "on",
  off: "off",
  archived: "archived",
  flag: "Flag",
  lastChange: "Last change",
  now: "just now",
} as const;

/** What went wrong, in words for whoever asked for it. */
export function told(error: unknown, address: string): string {
  if (error instanceof Unreachable) return words.offline(address);
  if (error instanceof Problem) {
    if (error.status === 401) return words.refused(address);
    const fields = error.errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    const said = error.detail || error.title;
    return [said, ...fields.filter((one) => !said.includes(one))].join(" ");
  }
  return error instanceof Error ? error.message : String(error);
}

const STEPS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400 * 365, "year"],
  [86_400 * 30, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** How long ago, such as `3 days ago`; what is still to come is as far away as that. */
export function ago(atS: number, nowS = Date.now() / 1000): string {
  const passedS = nowS - atS;
  const step = STEPS.find(([seconds]) => Math.abs(passedS) >= seconds);
  if (!step) return words.now;
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.trunc(passedS / step[0]), step[1]);
}
