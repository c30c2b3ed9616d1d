/** New issues: from nothing, and from a TODO in a comment, which has the key of its issue from then on. */
import * as vscode from "vscode";
import type { Issue } from "@kbwork/client";
import type { Connection } from "./connection.ts";
import { KEY } from "./facts.ts";
import { git, pathIn, permalink } from "./git.ts";
import type { Issues } from "./issues.ts";
import { words } from "./words.ts";

export interface Todo {
  /** Where its word ends: the key comes there. */
  readonly end: number;
  readonly text: string;
}

/** A list that reads anew. */
interface Touched {
  touch(): void;
}

/** The word behind the beginning of a comment, or at that of a line of a longer one. */
const TODO = /(?:\/\/|\/\*|#|--|;|%|<!--|"""|'''|^\s*\*).*?\b(?:TODO|FIXME|XXX|HACK)\b(?=\s*[:(\s]|$)/;
const CLOSING = /\s*(?:\*\/|-->|"""|''')\s*$/;
const PROJECT = "project";
/** So many lines around it come along. */
const AROUND = 2;
const LONGEST_TITLE = 250;

/** Undefined: there is none, or it has an issue. */
export function todoOf(line: string): Todo | undefined {
  const found = line.length > 2_000 ? null : TODO.exec(line);
  const end = found ? found.index + found[0].length : 0;
  if (!found || KEY.test(line.slice(end))) return undefined;
  const text = line.slice(end).replace(/^\s*\([^)]*\)/, "").replace(/^[\s:-]+/, "").replace(CLOSING, "").trim();
  return { end, text: text.slice(0, LONGEST_TITLE) };
}

export class Todos implements vscode.CodeActionProvider {
  readonly #context: vscode.ExtensionContext;
  readonly #connection: Connection;
  readonly #issues: Issues;
  readonly #rows: Touched;
  /** What somebody wrote and no server took yet. */
  #unsent = "";

  constructor(context: vscode.ExtensionContext, connection: Connection, issues: Issues, rows: Touched) {
    this.#context = context;
    this.#connection = connection;
    this.#issues = issues;
    this.#rows = rows;
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const { line } = range.start;
    if (!todoOf(document.lineAt(line).text)) return [];
    const action = new vscode.CodeAction(words.makeIssue, vscode.CodeActionKind.QuickFix);
    action.command = { command: "kbwork.todo", title: words.makeIssue, arguments: [document.uri, line] };
    return [action];
  }

  async create(): Promise<void> {
    const made = await this.#make(this.#unsent, "");
    if (made) await this.#announce(made);
  }

  /** Of the line that is named, else of the one with the cursor. */
  async ofTodo(uri?: vscode.Uri, line?: number): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const document = uri ? await vscode.workspace.openTextDocument(uri) : editor?.document;
    const number = line ?? editor?.selection.active.line ?? 0;
    const text = document && document.lineCount > number ? document.lineAt(number).text : "";
    const todo = todoOf(text);
    if (!document || !todo) return void vscode.window.showWarningMessage(words.noTodo);
    const made = await this.#make(todo.text, await bodyOf(document, number));
    if (!made) return;
    if (await putKey(document, number, text, todo, made.key)) return this.#announce(made);
    await vscode.env.clipboard.writeText(made.key);
    void vscode.window.showWarningMessage(words.lostLine(made.key));
  }

  /** Ask what it is about, and where; what was written stands there again where the server refuses. */
  async #make(title: string, body: string): Promise<Issue | undefined> {
    const project = await this.#project();
    let value = title;
    while (project) {
      const said = await vscode.window.showInputBox({
        title: `${project}: ${words.title}`,
        value,
        ignoreFocusOut: true,
        validateInput: (text) => (text.trim() ? undefined : words.needed),
      });
      if (said === undefined) return undefined;
      value = this.#unsent = said;
      try {
        const made = await this.#connection.ask((kb) => kb.issues.create({ project, title: said.trim(), ...(body ? { body } : {}) }));
        this.#unsent = "";
        this.#rows.touch();
        return made;
      } catch (error) {
        await this.#connection.tell(error);
      }
    }
    return undefined;
  }

  async #project(): Promise<string | undefined> {
    const projects = await this.#connection.attempt((kb) => kb.projects.list());
    if (!projects) return undefined;
    const last = this.#context.workspaceState.get<string>(PROJECT);
    const mine = projects.filter(({ my_role, visibility }) => my_role !== "viewer" && (my_role || visibility !== "private"));
    const choices = mine.map(({ key, name }) => ({ label: key, description: name }));
    choices.sort((one, other) => Number(other.label === last) - Number(one.label === last));
    if (!choices.length) return void vscode.window.showWarningMessage(words.noProject);
    if (choices.length === 1) return choices[0]!.label;
    const chosen = await vscode.window.showQuickPick(choices, { title: words.project, placeHolder: words.projectHint, matchOnDescription: true });
    if (chosen) await this.#context.workspaceState.update(PROJECT, chosen.label);
    return chosen?.label;
  }

  async #announce({ key, title }: Issue): Promise<void> {
    const chosen = await vscode.window.showInformationMessage(words.made(key, title), words.open, words.makeBranch);
    if (chosen === words.open) await this.#issues.open(key);
    if (chosen === words.makeBranch) await vscode.commands.executeCommand("kbwork.branch", key);
  }
}

/** Where it stands: no folder of this computer is named. */
async function bodyOf(document: vscode.TextDocument, line: number): Promise<string> {
  const repository = (await git())?.getRepository(document.uri) ?? undefined;
  const folder = repository?.rootUri ?? vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  const path = (folder && pathIn(folder, document.uri)) ?? document.uri.path.split("/").pop()!;
  const link = repository && permalink(repository, document.uri, line + 1);
  const place = `\`${path}:${line + 1}\``;
  const first = Math.max(0, line - AROUND);
  const last = Math.min(document.lineCount - 1, line + AROUND);
  const lines = Array.from({ length: last - first + 1 }, (_, more) => document.lineAt(first + more).text.slice(0, 500));
  // A fence is longer than any that the code has.
  const longest = Math.max(2, ...lines.flatMap((one) => (one.match(/`+/g) ?? []).map((ticks) => ticks.length)));
  const fence = "`".repeat(longest + 1);
  return [link ? `[${place}](${link})` : place, "", fence + document.languageId, ...lines, fence].join("\n");
}

/** Where the line stands by now; false: it is not there any more, or there is more than one like it. */
async function putKey(document: vscode.TextDocument, line: number, text: string, todo: Todo, key: string): Promise<boolean> {
  let at = line;
  if (document.lineCount <= line || document.lineAt(line).text !== text) {
    const same = Array.from({ length: document.lineCount }, (_, number) => number).filter((number) => document.lineAt(number).text === text);
    if (same.length !== 1) return false;
    at = same[0]!;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(at, todo.end), ` ${key}`);
  return vscode.workspace.applyEdit(edit);
}
