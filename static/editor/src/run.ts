/** Every operation that the person may run: chosen, asked for what it takes, and its answer shown as JSON. */
import * as vscode from "vscode";
import type { In, Kbwork, Name } from "@kbwork/client";
import { type Description, type Input, offered, type Operation, valueOf } from "../../app/src/palette/described.ts";
import { Cache } from "./cache.ts";
import type { Connection } from "./connection.ts";
import { words } from "./words.ts";

export const SCHEME = "kbwork";

const HOUR_MS = 3_600_000;
const MOST_ANSWERS = 20;
const MOST_DRAFTS = 50;
/** What nobody should read over somebody's shoulder, and what is not kept. */
const SECRET = /password|secret|token|code$/;

type Said = Readonly<Record<string, string>>;

export class Runs implements vscode.TextDocumentContentProvider {
  readonly #connection: Connection;
  readonly #known = new Cache<readonly Operation[]>(1, HOUR_MS);
  readonly #answers = new Map<string, string>();
  /** What was written for an operation that did not run. */
  readonly #drafts = new Map<string, Said>();
  #number = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#answers.get(uri.path) ?? "";
  }

  /** Another person may run others. */
  clear(): void {
    this.#known.clear();
    this.#drafts.clear();
  }

  async run(): Promise<void> {
    const all = await this.#connection.attempt((kb) => this.#known.get("", () => fetchAll(kb)));
    const choices = all?.map((operation) => ({ label: operation.title, description: operation.id, operation }));
    const chosen = choices && (await vscode.window.showQuickPick(choices, { title: words.operation, matchOnDescription: true }));
    if (chosen) await this.#fill(chosen.operation);
  }

  /** What was said stays where the server refuses, and where the person leaves. */
  async #fill(operation: Operation): Promise<void> {
    let said: Said = this.#drafts.get(operation.id) ?? {};
    for (const input of operation.inputs.filter(({ required }) => required)) {
      const value = await askOne(operation, input, said[input.name]);
      if (value === undefined) return;
      said = this.#keep(operation, { ...said, [input.name]: value });
    }
    for (;;) {
      const more = await chooseMore(operation, said);
      if (more === undefined) return;
      if (more === "run") {
        if (await this.#send(operation, said)) return void this.#drafts.delete(operation.id);
        continue;
      }
      const value = await askOne(operation, more, said[more.name]);
      if (value !== undefined) said = this.#keep(operation, { ...said, [more.name]: value });
    }
  }

  async #send({ id, title, class: sort, inputs }: Operation, said: Said): Promise<boolean> {
    if (sort === "destructive") {
      const sure = await vscode.window.showWarningMessage(words.takesAway(id, title), { modal: true }, words.sure);
      if (!sure) return false;
    }
    const given = inputs.map((input) => [input.name, valueOf(input, said[input.name] ?? "")]).filter(([, value]) => value !== undefined);
    const input = Object.fromEntries(given) as In<Name>;
    const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: words.runs(id) }, () =>
      this.#connection.attempt(async (kb) => ({ told: await kb.call(id as Name, input as never) })),
    );
    if (answer) await this.#show(id, answer.told);
    return answer !== undefined;
  }

  async #show(id: string, answer: unknown): Promise<void> {
    const path = `/${id} ${++this.#number}.json`;
    this.#answers.set(path, `${JSON.stringify(answer ?? null, null, 2)}\n`);
    if (this.#answers.size > MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value!);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path }));
    await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, "json"), { preview: true });
  }

  #keep({ id, inputs }: Operation, said: Said): Said {
    const plain = inputs.filter(({ name }) => said[name] !== undefined && !SECRET.test(name));
    this.#drafts.set(id, Object.fromEntries(plain.map(({ name }) => [name, said[name]!])));
    if (this.#drafts.size > MOST_DRAFTS) this.#drafts.delete(this.#drafts.keys().next().value!);
    return said;
  }
}

async function fetchAll(kb: Kbwork): Promise<readonly Operation[]> {
  const [answer, me] = await Promise.all([kb.download("/api/v1/openapi.json"), kb.auth.me()]);
  const scopes = new Set(me.scopes);
  return offered((await answer.json()) as Description, (scope) => scopes.has(scope));
}

/** The next field that may be left out, or that all is said. */
async function chooseMore({ id, inputs }: Operation, said: Said): Promise<Input | "run" | undefined> {
  if (!inputs.length) return "run";
  const fields = inputs.map((input) => ({ label: input.name, description: SECRET.test(input.name) ? "" : (said[input.name] ?? ""), detail: firstLine(input.about), input }));
  const run = { label: words.run, description: "", detail: "", input: undefined };
  const chosen = await vscode.window.showQuickPick([run, ...fields], { title: words.runHint(id), ignoreFocusOut: true });
  return chosen && (chosen.input ?? "run");
}

/** What stands for it, as text; undefined: the person would rather not. */
async function askOne({ id }: Operation, input: Input, value = ""): Promise<string | undefined> {
  const title = `${id}: ${input.name}`;
  if (input.kind === "choice" || input.kind === "yes") {
    const known = input.kind === "yes" ? [{ label: words.yes, said: "true" }, { label: words.no, said: "false" }] : input.choices.map((one) => ({ label: one, said: one }));
    const choices = input.required ? known : [...known, { label: words.leaveOut, said: "" }];
    return (await vscode.window.showQuickPick(choices, { title, placeHolder: firstLine(input.about), ignoreFocusOut: true }))?.said;
  }
  const hint = input.kind === "list" ? words.list : input.kind === "json" ? words.json : "";
  return vscode.window.showInputBox({
    title,
    prompt: [firstLine(input.about), hint].filter(Boolean).join(" "),
    value,
    password: SECRET.test(input.name),
    ignoreFocusOut: true,
    validateInput: (said) => wrong(input, said),
  });
}

function wrong(input: Input, said: string): string | undefined {
  if (input.required && !said.trim()) return words.needed;
  try {
    return input.kind === "number" && said && typeof valueOf(input, said) !== "number" ? words.noNumber : (valueOf(input, said), undefined);
  } catch {
    return words.noJson;
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0]!;
