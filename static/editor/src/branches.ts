/** From an issue to its branch, and from the branch that is checked out back to its issue, in the status bar. */
import * as vscode from "vscode";
import type { Connection } from "./connection.ts";
import type { Facts } from "./facts.ts";
import { branchName, type Git, git, isBranchName, type Repository, repositoryHere } from "./git.ts";
import type { Issues } from "./issues.ts";
import { words } from "./words.ts";

/** In a branch the key may be written small. */
const KEY = /(?<![a-z0-9])([a-z][a-z0-9]{1,9}-[1-9][0-9]{0,12})(?![0-9])/i;
/** Of others, issues change all the time. */
const PAUSE_MS = 5_000;

export class Branches implements vscode.Disposable {
  readonly #connection: Connection;
  readonly #facts: Facts;
  readonly #issues: Issues;
  readonly #bar = vscode.window.createStatusBarItem("kbwork.issue", vscode.StatusBarAlignment.Left, 50);
  readonly #heard: vscode.Disposable[] = [];
  readonly #followed = new Map<Repository, vscode.Disposable>();
  #shown = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Connection, facts: Facts, issues: Issues) {
    this.#connection = connection;
    this.#facts = facts;
    this.#issues = issues;
    this.#bar.name = "kbwork";
    this.#heard.push(vscode.window.onDidChangeActiveTextEditor(() => void this.show()));
  }

  /** Follow what Git does. */
  async start(): Promise<void> {
    const found = await git();
    if (found) {
      for (const repository of found.repositories) this.#follow(repository);
      this.#heard.push(found.onDidOpenRepository((one) => this.#follow(one)), found.onDidCloseRepository((one) => this.#leave(one)));
    }
    await this.show();
  }

  /** Some issue changed: several in a row are one reason to look. */
  touch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.show();
    }, PAUSE_MS);
  }

  async show(): Promise<void> {
    const shown = ++this.#shown;
    const name = repositoryHere(await git())?.state.HEAD?.name ?? "";
    const key = KEY.exec(name)?.[1]?.toUpperCase();
    if (shown !== this.#shown) return;
    const { state, address } = this.#connection;
    if (state === "refused" || state === "offline") {
      const what = state === "offline" ? words.offline(address) : words.refused(address);
      return this.#put("$(warning) kbwork", what, { command: "kbwork.connect", title: words.connect });
    }
    const issue = key && state === "online" ? await this.#facts.issue(key).catch(() => undefined) : undefined;
    if (shown !== this.#shown) return;
    if (!issue) return this.#bar.hide();
    this.#put(`$(issues) ${issue.key} ${issue.status}`, issue.title, { command: "kbwork.issueActions", title: words.open, arguments: [issue.key] });
  }

  /** What may be done with the issue of the branch. */
  async act(about: unknown): Promise<void> {
    const key = await this.#issues.keyOf(about);
    const issue = key && (await this.#connection.attempt((kb) => kb.issues.get({ key })));
    if (!issue) return;
    const choices = [
      { label: `$(link-external) ${words.open}`, run: () => this.#issues.open(key) },
      { label: `$(arrow-swap) ${words.changeStatus}`, run: () => this.#issues.move(key) },
      { label: `$(check) ${words.finish}`, run: () => this.#issues.finish(key) },
      { label: `$(copy) ${words.copyKey}`, run: () => this.#issues.copyKey(key) },
    ];
    const chosen = await vscode.window.showQuickPick(choices, { title: `${issue.key} ${issue.title}`, placeHolder: issue.status });
    await chosen?.run();
  }

  async make(about: unknown): Promise<void> {
    const key = await this.#issues.keyOf(about);
    const issue = key && (await this.#connection.attempt((kb) => kb.issues.get({ key })));
    if (!issue) return;
    const form = vscode.workspace.getConfiguration("kbwork").get<string>("branchName", "");
    const name = await vscode.window.showInputBox({
      title: words.branch,
      value: branchName(form, issue.key, issue.title),
      ignoreFocusOut: true,
      validateInput: (said) => (isBranchName(said.trim()) ? undefined : words.noBranchName),
    });
    if (name) await this.#checkOut(name.trim(), await git());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of [...this.#heard, ...this.#followed.values(), this.#bar]) one.dispose();
  }

  /** One that is there already is checked out. */
  async #checkOut(name: string, found: Git | undefined): Promise<void> {
    const repository = found && (await this.#repository(found));
    if (!found?.repositories.length) {
      await vscode.env.clipboard.writeText(name);
      return void vscode.window.showInformationMessage(words.noGit(name));
    }
    if (!repository) return;
    try {
      const there = await repository.getBranch(name).catch(() => undefined);
      await (there ? repository.checkout(name) : repository.createBranch(name, true));
      vscode.window.setStatusBarMessage(words.branched(name), 5_000);
    } catch (error) {
      void vscode.window.showErrorMessage(`Git: ${gitSaid(error)}`);
    }
  }

  async #repository(found: Git): Promise<Repository | undefined> {
    if (found.repositories.length < 2) return found.repositories[0];
    const here = repositoryHere(found);
    const others = found.repositories.filter((one) => one !== here);
    const choices = [...(here ? [here] : []), ...others].map((repository) => ({ label: repository.rootUri.path.split("/").pop()!, description: repository.rootUri.fsPath, repository }));
    return (await vscode.window.showQuickPick(choices, { title: words.repository }))?.repository;
  }

  #put(text: string, tooltip: string, command: vscode.Command): void {
    Object.assign(this.#bar, { text, tooltip, command });
    this.#bar.show();
  }

  #follow(repository: Repository): void {
    if (!this.#followed.has(repository)) this.#followed.set(repository, repository.state.onDidChange(() => void this.show()));
    void this.show();
  }

  #leave(repository: Repository): void {
    this.#followed.get(repository)?.dispose();
    this.#followed.delete(repository);
    void this.show();
  }
}

/** Git says what is in the way to its standard error. */
function gitSaid(error: unknown): string {
  const said = (error as { readonly stderr?: unknown } | undefined)?.stderr;
  return typeof said === "string" && said.trim() ? said.trim() : error instanceof Error ? error.message : String(error);
}
