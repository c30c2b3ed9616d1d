/** The issues of the side bar, and what is done with an issue: opened, finished, moved. */
import * as vscode from "vscode";
import type { Issue, IssueTransition, Lane } from "@kbwork/client";
import type { Connection } from "./connection.ts";
import { type Facts, KEY } from "./facts.ts";
import type { Rows } from "./rows.ts";
import { ago, words } from "./words.ts";

/** An issue as it stands in the side bar. */
export interface IssueRow {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly category: string;
  readonly priority: string;
  readonly due: string | null;
}

const COLUMNS = ["key", "title", "status", "category", "priority", "due"];
const MOST_ROWS = 100;
const ICONS: Readonly<Record<string, string>> = { todo: "circle-outline", in_progress: "play-circle", done: "pass" };
const COLOURS: Readonly<Record<string, string>> = { urgent: "charts.red", high: "charts.orange" };

/** What a field of a transition says of itself. */
interface Asked {
  readonly field: string;
  readonly name: string;
  readonly kind: string;
  readonly required: boolean;
}

export async function myIssues(connection: Connection): Promise<IssueRow[]> {
  const tql = vscode.workspace.getConfiguration("kbwork").get<string>("myIssues", "");
  const { rows } = await connection.ask((kb) => kb.tql.run({ tql, fields: COLUMNS, limit: MOST_ROWS }));
  return rows.map((cells) => Object.fromEntries(COLUMNS.map((name, place) => [name, cells[place]])) as unknown as IssueRow);
}

export function issueItem(row: IssueRow): vscode.TreeItem {
  const item = new vscode.TreeItem(`${row.key} ${row.title}`);
  item.id = row.key;
  item.description = [row.status, row.due].filter(Boolean).join(" · ");
  item.tooltip = `${row.key} ${row.title}\n${item.description}`;
  item.contextValue = "issue";
  const colour = COLOURS[row.priority];
  item.iconPath = new vscode.ThemeIcon(ICONS[row.category] ?? "circle-outline", colour ? new vscode.ThemeColor(colour) : undefined);
  item.accessibilityInformation = { label: `${row.key}, ${row.title}, ${row.status}, ${row.priority}` };
  item.command = { command: "kbwork.open", title: words.open, arguments: [row.key] };
  return item;
}

export class Issues {
  readonly #connection: Connection;
  readonly #facts: Facts;
  readonly #rows: Rows<IssueRow>;
  readonly #moved = new vscode.EventEmitter<void>();
  readonly onMoved = this.#moved.event;

  constructor(connection: Connection, facts: Facts, rows: Rows<IssueRow>) {
    this.#connection = connection;
    this.#facts = facts;
    this.#rows = rows;
  }

  /** The key that a command is about: of what was clicked, or chosen now. */
  async keyOf(about: unknown): Promise<string | undefined> {
    if (typeof about === "string") return about;
    if (about && typeof about === "object" && "key" in about) return String(about.key);
    return this.#choose();
  }

  async open(about: unknown): Promise<void> {
    const key = await this.keyOf(about);
    if (key) await vscode.env.openExternal(this.#connection.page(`/issues/${encodeURIComponent(key)}`));
  }

  async copyKey(about: unknown): Promise<void> {
    const key = await this.keyOf(about);
    if (!key) return;
    await vscode.env.clipboard.writeText(key);
    vscode.window.setStatusBarMessage(words.copied(key), 3_000);
  }

  async finish(about: unknown): Promise<void> {
    const key = await this.keyOf(about);
    const found = key && (await this.#ways(key));
    if (!found) return;
    const { lanes } = found;
    const done = found.ways.filter(({ to_status }) => lanes.get(to_status)?.category === "done");
    const best = done.filter(({ to_status }) => lanes.get(to_status)?.outcome === "completed");
    const [way] = best.length ? best : done;
    if (way) await this.#go(key, way, lanes);
    else void vscode.window.showWarningMessage(words.noFinish(key));
  }

  async move(about: unknown): Promise<void> {
    const key = await this.keyOf(about);
    const found = key && (await this.#ways(key));
    if (!found) return;
    if (!found.ways.length) return void vscode.window.showWarningMessage(words.noWay(key));
    const choices = found.ways.map((way) => ({
      label: found.lanes.get(way.to_status)?.name ?? way.to_status,
      ...(way.name === found.lanes.get(way.to_status)?.name ? {} : { description: way.name }),
      way,
    }));
    const chosen = await vscode.window.showQuickPick(choices, { title: words.toStatus(key) });
    if (chosen) await this.#go(key, chosen.way, found.lanes);
  }

  /** The open ways on from where an issue stands, and the lanes of its project. */
  #ways(key: string): Promise<{ ways: IssueTransition[]; lanes: ReadonlyMap<string, Lane> } | undefined> {
    return this.#connection.attempt(async (kb) => {
      const issue = await kb.issues.get({ key, with: ["transitions"] });
      const lanes = await kb.lanes.list({ project: issue.project, type: issue.type });
      const ways = (issue.transitions ?? []).filter(({ allowed }) => allowed);
      return { ways, lanes: new Map(lanes.map((lane) => [lane.key, lane])) };
    });
  }

  async #go(key: string, way: IssueTransition, lanes: ReadonlyMap<string, Lane>): Promise<void> {
    if (way.approvers.length) {
      const chosen = await vscode.window.showInformationMessage(words.agreed(key), words.open);
      return chosen ? this.open(key) : undefined;
    }
    const values = await askValues(way.fields as unknown as readonly Asked[]);
    if (!values) return;
    const given = Object.keys(values).length ? { values } : {};
    const moved = await this.#connection.attempt((kb) => kb.issues.transition({ key, to_status: way.to_status, ...given }));
    this.#facts.forgetIssues();
    this.#moved.fire();
    await this.#rows.refresh();
    if (moved) vscode.window.setStatusBarMessage(words.moved(key, lanes.get(way.to_status)?.name ?? moved.status), 5_000);
  }

  /** One of the rows, or a key that is typed. */
  #choose(): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly key: string }>();
    const mine = this.#rows.rows.map(({ key, title, status }) => ({ label: key, description: title, detail: status, key }));
    pick.title = words.which;
    pick.placeholder = words.whichHint;
    pick.matchOnDescription = true;
    pick.items = mine;
    pick.onDidChangeValue((said) => {
      const key = said.trim().toUpperCase();
      const typed = KEY.exec(key)?.[0] === key && !mine.some((one) => one.key === key);
      pick.items = typed ? [{ label: key, key }, ...mine] : mine;
    });
    return new Promise((resolve) => {
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]?.key);
        pick.hide();
      });
      pick.onDidHide(() => {
        resolve(undefined);
        pick.dispose();
      });
      pick.show();
    });
  }
}

/** What a transition asks for, by name; undefined: the person would rather not. */
async function askValues(fields: readonly Asked[]): Promise<Record<string, unknown> | undefined> {
  const values: Record<string, unknown> = {};
  for (const { field, name, kind, required } of fields) {
    const said = await vscode.window.showInputBox({
      title: words.asked(name || field),
      prompt: kind,
      ignoreFocusOut: true,
      validateInput: (text) => (required && !text.trim() ? words.needed : undefined),
    });
    if (said === undefined) return undefined;
    if (said.trim()) values[field] = said.trim();
  }
  return values;
}

/** An issue in the few lines of a hover; what people wrote is text there, and nothing of it leads anywhere. */
export function issueHover(issue: Issue, names: readonly string[], page: vscode.Uri): vscode.MarkdownString {
  const text = new vscode.MarkdownString("", true);
  text.isTrusted = { enabledCommands: ["kbwork.status", "kbwork.branch"] };
  text.appendMarkdown(`**[${issue.key}](${page.toString(true)})** `).appendText(issue.title).appendMarkdown("\n\n");
  text.appendMarkdown(`$(${ICONS[issue.category] ?? "circle-outline"}) `).appendText(issue.status);
  text.appendMarkdown(" · $(person) ").appendText(names.length ? names.join(", ") : words.nobody);
  if (issue.priority !== "none") text.appendMarkdown(" · ").appendText(issue.priority);
  text.appendMarkdown(` · ${ago(issue.updated_at)}\n\n`);
  const about = encodeURIComponent(JSON.stringify([issue.key]));
  return text.appendMarkdown(`[Change status](command:kbwork.status?${about}) · [Branch](command:kbwork.branch?${about})`);
}

