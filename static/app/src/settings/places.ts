/** Every page of settings, in the order in which they stand at the left. */
import type { ComponentType } from "preact";
import type { Name } from "@kbwork/client";
import { may } from "../store/session.ts";
import { Later } from "../ui/later.tsx";
import { OPERATIONS } from "./operations.ts";
import { s } from "./texts.ts";

/** `rest` is what of the address stands behind the name of the page. */
interface SettingsPageProps {
  readonly rest: readonly string[];
}

interface SettingsPlace {
  readonly id: string;
  readonly group: keyof typeof s.groups;
  readonly title: string;
  /** What it is for, in one sentence. */
  readonly what: string;
  /** By what else people look for it. */
  readonly words: string;
  /** By which operations it changes what it shows. */
  readonly ops: readonly Name[];
  /** Only admins see what is there. */
  readonly admins?: boolean;
  readonly page: Later<SettingsPageProps>;
}

type Told = readonly [title: string, what: string, words: string];

const place = (id: keyof typeof s.places, group: SettingsPlace["group"], load: () => Promise<{ Page: ComponentType<SettingsPageProps> }>, admins = false): SettingsPlace => {
  const [title, what, words] = s.places[id] as Told;
  return { id, group, title, what, words, ops: OPERATIONS[id], admins, page: new Later(async () => (await load()).Page) };
};

export const PLACES: readonly SettingsPlace[] = [
  place("start", "org", () => import("./start/start.tsx")),
  place("org", "org", () => import("./org/org.tsx")),
  place("import", "org", () => import("./import/index.tsx"), true),
  place("members", "people", () => import("./people/members.tsx")),
  place("invites", "people", () => import("./people/invites.tsx")),
  place("teams", "people", () => import("./people/teams.tsx")),
  place("projects", "work", () => import("./work/projects.tsx")),
  place("types", "work", () => import("./work/types.tsx")),
  place("lanes", "work", () => import("./work/lanes.tsx")),
  place("workflows", "work", () => import("./work/workflows.tsx")),
  place("fields", "work", () => import("./work/fields.tsx")),
  place("labels", "work", () => import("./work/labels.tsx")),
  place("components", "work", () => import("./work/components.tsx")),
  place("templates", "work", () => import("./work/templates.tsx")),
  place("checklists", "work", () => import("./work/checklists.tsx")),
  place("desk", "work", () => import("./desk/index.tsx")),
  place("rules", "links", () => import("./rules/index.tsx")),
  place("reports", "links", () => import("./reports/index.tsx"), true),
  place("webhooks", "links", () => import("./webhooks/index.tsx"), true),
  place("chats", "links", () => import("./chats/index.tsx")),
  place("mail", "links", () => import("./mail/index.tsx"), true),
  place("ai", "links", () => import("./models/index.tsx")),
  place("sign-in", "safety", () => import("./safety/sign_in.tsx")),
  place("programs", "safety", () => import("./safety/programs.tsx")),
  place("audit", "safety", () => import("./safety/audit.tsx"), true),
  place("backups", "safety", () => import("./safety/backups.tsx"), true),
  place("trash", "safety", () => import("./safety/trash.tsx")),
  place("jobs", "safety", () => import("./safety/jobs.tsx")),
  place("health", "safety", () => import("./safety/health.tsx"), true),
];

/** What people have of their own stands on pages of the server. */
export const OWN: readonly { readonly href: string; readonly title: string; readonly words: string }[] = [
  { href: "/account", title: s.own.account, words: "profile password two factors 2fa totp passkey" },
  { href: "/sessions", title: s.own.sessions, words: "devices browsers sign out" },
  { href: "/keys", title: s.own.keys, words: "api token agent" },
  { href: "/connect", title: s.own.connect, words: "mcp claude cli oauth" },
];

/** As it is called among everything else. */
export const titleInAll = s.command;

export function fits(words: string, ...texts: readonly string[]): boolean {
  const text = texts.join(" ").toLocaleLowerCase();
  return words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export const isHidden = (one: { admins?: boolean }): boolean => one.admins === true && !may("admin");
