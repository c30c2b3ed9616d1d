/** Every text of the page of chats. */
import { number } from "../../ui/texts.ts";

export const w = {
  connections: "Connections", connectionsWhat: "A workspace of Slack, a team of Teams, a server of Discord: people make, find and move issues from there.", newConnection: "New connection", noConnection: "There is no connection yet.",
  platform: "Platform", platforms: { slack: "Slack", teams: "Teams", discord: "Discord" }, project: "Project of issues that are made there", projectColumn: "Project", goneProject: "One that you do not see",
  secret: "What the platform signs with", secretWhat: "Slack: the signing secret. Teams: the security token of the outgoing webhook. Discord: the public key of the application.", kept: "One is kept, and never shown. Left empty, it stays.",
  bot: "Bot token", botWhat: "With it links are shown and mentions answered. It begins with xoxb-.", noBot: "Take the bot token away",
  hook: "Address for the platform", hookWhat: "Enter it there as the address that commands are posted to. It has to reach this site by HTTPS.", copy: "Copy the address", manual: "Where it is entered stands in", manualPage: "the manual",
  linked: "Linked accounts", requests: "Requests", latest: "Latest", error: "Went wrong last",
  madeConnection: (name: string) => `${name} is made. Enter its address at the platform.`, changed: (name: string) => `${name} is changed.`, deleted: (name: string) => `${name} is gone.`, deleteConnection: "It goes for good, with its secrets, linked accounts and channels.",
  channels: "Channels", channelsWhat: "What a channel hears, as far as whoever saved it last may hear of it. Everybody in the channel reads it.", newChannel: "New channel", noChannel: "No channel hears anything yet.", connection: "Connection", hears: "Hears", query: "Only of issues that fit", queryWhat: "A query, such as project = WEB. Empty: of all.",
  address: "Address of the channel", addressWhat: "An incoming webhook of Slack, a workflow of Teams, a webhook of a Discord channel. It is sealed, and never shown again.",
  events: { "issue.created": "New issues", "issue.updated": "Changes of issues", "issue.assigned": "Who has an issue", "issue.deleted": "Deleted issues", "comment.created": "New comments" },
  sent: "Posts", lastSent: "Latest", test: "Test", testOf: (name: string) => `Post a word to ${name}`, tested: (name: string) => `${name} took it.`, madeChannel: (name: string) => `${name} is heard from now on.`, deleteChannel: "What waits is not posted.",
  own: "Your accounts there", ownWhat: "What you say there is done as you.", noAccount: "None of yours is linked.", code: "Code", codeWhat: "Write link to kbwork in the chat: it hands out a code, good for ten minutes.", link: "Link", isLinked: "Your account is linked.", account: "Account", since: "Since", unlink: "Unlink", unlinkWhat: "What it says there is not done as you any more.", unlinked: (name: string) => `${name} is unlinked.`,
  count: (value: number) => number(value),
} as const;
