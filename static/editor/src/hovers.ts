/** What a key of an issue or of a flag stands for, told where it stands in code. */
import * as vscode from "vscode";
import type { Flag } from "@kbwork/client";
import type { Connection } from "./connection.ts";
import { type Facts, KEY, type LastChange } from "./facts.ts";
import { issueHover } from "./issues.ts";
import { ago, words } from "./words.ts";

/** Keys of flags: 1 to 128 letters, digits, dots, dashes and underscores. */
const FLAG = /[\w.-]{1,128}/;
/** Lines of programs that were made by programs are not searched. */
const LONGEST_LINE = 5_000;

export class Hovers implements vscode.HoverProvider {
  readonly #connection: Connection;
  readonly #facts: Facts;

  constructor(connection: Connection, facts: Facts) {
    this.#connection = connection;
    this.#facts = facts;
  }

  /** Nothing where the server is away: a hover is no place to say so. */
  async provideHover(document: vscode.TextDocument, at: vscode.Position, token: vscode.CancellationToken): Promise<vscode.Hover | undefined> {
    if (this.#connection.state !== "online" || document.lineAt(at.line).text.length > LONGEST_LINE) return undefined;
    try {
      const found = (await this.#ofIssue(document, at)) ?? (await this.#ofFlag(document, at));
      return token.isCancellationRequested ? undefined : found;
    } catch {
      return undefined;
    }
  }

  async #ofIssue(document: vscode.TextDocument, at: vscode.Position): Promise<vscode.Hover | undefined> {
    const range = document.getWordRangeAtPosition(at, KEY);
    const issue = range && (await this.#facts.issue(document.getText(range)));
    if (!issue) return undefined;
    return new vscode.Hover(issueHover(issue, await this.#facts.names(issue.assignees), this.#connection.page(issue.path)), range);
  }

  async #ofFlag(document: vscode.TextDocument, at: vscode.Position): Promise<vscode.Hover | undefined> {
    const project = vscode.workspace.getConfiguration("kbwork", document.uri).get<string>("flagProject", "");
    const range = project ? document.getWordRangeAtPosition(at, FLAG) : undefined;
    const flag = range && (await this.#facts.flags(project)).get(document.getText(range));
    if (!flag) return undefined;
    const change = await this.#facts.lastChange(flag);
    const [who] = change ? await this.#facts.names([change.who]) : [];
    const page = this.#connection.page(`/flags/${encodeURIComponent(project)}/${encodeURIComponent(flag.key)}`);
    return new vscode.Hover(flagHover(flag, change, who, page), range);
  }
}

function flagHover(flag: Flag, change: LastChange | undefined, who: string | undefined, page: vscode.Uri): vscode.MarkdownString {
  const text = new vscode.MarkdownString("", true);
  text.appendMarkdown(`$(symbol-boolean) ${words.flag} **[${flag.key}](${page.toString(true)})** `);
  if (flag.name !== flag.key) text.appendText(flag.name);
  if (flag.archived) text.appendMarkdown(` · ${words.archived}`);
  text.appendMarkdown("\n\n");
  for (const [environment, state] of Object.entries(flag.environments)) {
    text.appendMarkdown(`$(${state.on ? "circle-filled" : "circle-outline"}) `).appendText(environment);
    text.appendMarkdown(`: **${state.on ? words.on : words.off}**`);
    const served = state.on ? state.fallthrough["variation"] : state.off_variation;
    if (typeof served === "number") text.appendMarkdown(" → ").appendText(shown(flag, served));
    const rules = (state.counts?.["rules"] ?? 0) + (state.counts?.["targets"] ?? 0);
    if (state.on && rules) text.appendMarkdown(` (${rules === 1 ? "1 rule or target" : `${rules} rules and targets`})`);
    text.appendMarkdown("  \n");
  }
  if (change) {
    text.appendMarkdown(`\n${words.lastChange}: ${ago(change.at)}, `).appendText(who ?? change.who);
    if (change.environment) text.appendMarkdown(", ").appendText(change.environment);
    if (change.comment) text.appendMarkdown(": ").appendText(change.comment);
  }
  return text;
}

function shown(flag: Flag, variation: number): string {
  const found = flag.variations[variation];
  return String(found?.["name"] || JSON.stringify(found?.["value"])).slice(0, 80);
}
