/** What the editor calls: puts the parts together, and lets them hear of each other. */
import * as vscode from "vscode";
import { Branches } from "./branches.ts";
import { Connection, type News } from "./connection.ts";
import { Facts } from "./facts.ts";
import { Hovers } from "./hovers.ts";
import { entries, entryItem, Inbox } from "./inbox.ts";
import { issueItem, Issues, myIssues } from "./issues.ts";
import { Query } from "./query.ts";
import { Rows } from "./rows.ts";
import { Runs, SCHEME } from "./run.ts";
import { Todos } from "./todo.ts";
import { words } from "./words.ts";

/** Whoever comes back to the editor later than this sees lists that were read anew. */
const OLD_MS = 60_000;
const ANYWHERE: vscode.DocumentSelector = [{ scheme: "file" }, { scheme: "untitled" }, { scheme: "vscode-remote" }, { scheme: "vscode-vfs" }];

/** Nothing is waited for: the server may be away. */
export function activate(context: vscode.ExtensionContext): void {
  const connection = new Connection(context);
  const facts = new Facts(connection);
  const setting = { command: "workbench.action.openSettings", title: words.wrongQuery, arguments: ["kbwork.myIssues"] };
  const mine = new Rows(connection, () => myIssues(connection), issueItem, setting);
  const inbox = new Rows(connection, () => entries(connection), entryItem, { command: "kbwork.refresh", title: words.tryAgain });
  const lists = [mine, inbox];
  const issues = new Issues(connection, facts, mine);
  const branches = new Branches(connection, facts, issues);
  const todos = new Todos(context, connection, issues, mine);
  const runs = new Runs(connection);
  const query = new Query(context, connection, facts);
  const acts = new Inbox(connection, inbox);
  mine.show("kbwork.issues");
  const view = inbox.show("kbwork.inbox");
  inbox.onDidChangeTreeData(() => {
    view.badge = inbox.rows.length ? { value: inbox.rows.length, tooltip: words.waits(inbox.rows.length) } : undefined;
  });

  /** Nothing of before is for whoever comes now. */
  const forget = (): void => {
    facts.clear();
    runs.clear();
    for (const list of lists) list.empty();
  };
  const refresh = async (): Promise<void> => {
    facts.clear();
    await Promise.all([...lists.map((list) => list.refresh()), branches.show()]);
  };
  const heard = (news: News): void => {
    // How much waits there stands beside the icon, whatever is in view.
    if (news === "inbox") return inbox.touch(true);
    facts.forgetIssues();
    mine.touch();
    branches.touch();
  };
  let left = 0;
  const commands: Readonly<Record<string, (...told: never[]) => unknown>> = {
    connect: () => connection.connect(),
    address: () => connection.changeAddress(),
    signOut: () => connection.signOut(),
    refresh,
    create: () => todos.create(),
    todo: (uri?: vscode.Uri, line?: number) => todos.ofTodo(uri, line),
    query: () => query.ask(),
    run: () => runs.run(),
    open: (about: unknown) => issues.open(about),
    done: (about: unknown) => issues.finish(about),
    status: (about: unknown) => issues.move(about),
    branch: (about: unknown) => branches.make(about),
    copyKey: (about: unknown) => issues.copyKey(about),
    issueActions: (about: unknown) => branches.act(about),
    entryOpen: acts.open.bind(acts),
    entryDone: acts.done.bind(acts),
    entrySnooze: acts.snooze.bind(acts),
  };
  context.subscriptions.push(
    connection,
    branches,
    ...lists,
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`kbwork.${name}`, run)),
    vscode.languages.registerHoverProvider(ANYWHERE, new Hovers(connection, facts)),
    vscode.languages.registerCodeActionsProvider(ANYWHERE, todos, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, runs),
    connection.onNews(heard),
    issues.onMoved(() => void branches.show()),
    connection.onState((state) => {
      if (state === "online") void refresh();
      else if (state === "signedOut" || state === "unnamed") forget();
      else for (const list of lists) list.redraw();
      void branches.show();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("kbwork.address")) {
        forget();
        void connection.start();
      } else if (change.affectsConfiguration("kbwork")) void refresh();
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) left = Date.now();
      else if (connection.state === "online" && left && Date.now() - left > OLD_MS) void refresh();
    }),
    context.secrets.onDidChange(() => void connection.meet()),
  );
  void connection.start();
  void branches.start();
}
