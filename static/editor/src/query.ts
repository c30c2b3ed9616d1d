/** A query of TQL, written with what the server proposes; its rows are a list to choose from. */
import * as vscode from "vscode";
import type { TqlColumn, TqlCompletion, TqlResult } from "@kbwork/client";
import type { Connection } from "./connection.ts";
import type { Facts } from "./facts.ts";
import { ago, told, words } from "./words.ts";

interface Choice extends vscode.QuickPickItem {
  /** What the text is afterwards; left out: it is asked. */
  readonly text?: string;
}

const LATELY = "queries";
const MOST_LATELY = 20;
const MOST_ROWS = 100;
const MOST_PEOPLE = 50;
const PAUSE_MS = 150;
/** What a row is called by, where the query has it. */
const FIRST = ["key", "title"];

export class Query {
  readonly #context: vscode.ExtensionContext;
  readonly #connection: Connection;
  readonly #facts: Facts;

  constructor(context: vscode.ExtensionContext, connection: Connection, facts: Facts) {
    this.#context = context;
    this.#connection = connection;
    this.#facts = facts;
  }

  async ask(): Promise<void> {
    let text = this.#lately[0] ?? "";
    let wrong = "";
    for (;;) {
      const said = await this.#write(text, wrong);
      if (said === undefined) return;
      text = said;
      try {
        const found = await this.#connection.ask((kb) => kb.tql.run({ tql: said, limit: MOST_ROWS }));
        await this.#context.globalState.update(LATELY, [said, ...this.#lately.filter((one) => one !== said)].slice(0, MOST_LATELY));
        return await this.#choose(said, found);
      } catch (error) {
        // A query that does not fit is mended where it was written; all else is told.
        if (this.#connection.state !== "online") return await this.#connection.tell(error);
        wrong = told(error, this.#connection.address);
      }
    }
  }

  get #lately(): string[] {
    return this.#context.globalState.get<string[]>(LATELY, []);
  }

  /** The text that is to be asked; undefined: the person would rather not. */
  #write(text: string, wrong: string): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick<Choice>();
    pick.title = wrong ? `${words.query}: ${wrong}` : words.query;
    pick.placeholder = words.queryHint;
    pick.ignoreFocusOut = true;
    pick.value = text;
    const propose = this.#proposals(pick);
    return new Promise((resolve) => {
      pick.onDidChangeValue(() => propose());
      pick.onDidAccept(() => {
        const [chosen] = pick.activeItems;
        if (chosen?.text === undefined) {
          resolve(pick.value);
          return pick.hide();
        }
        pick.value = chosen.text;
        propose();
      });
      pick.onDidHide(() => {
        resolve(undefined);
        pick.dispose();
      });
      propose();
      pick.show();
    });
  }

  /** Fills the list a moment after the last key. The answer to an earlier text is not shown. */
  #proposals(pick: vscode.QuickPick<Choice>): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The list puts what fits exactly in front: to ask is always the first choice.
    const run = (text: string): Choice => ({ label: text || words.everything, description: words.runQuery, iconPath: new vscode.ThemeIcon("play"), alwaysShow: true });
    const fill = async (text: string): Promise<void> => {
      const found = await this.#connection.ask((kb) => kb.tql.complete({ tql: text, cursor: text.length })).catch(() => []);
      if (pick.value !== text) return;
      const lately = this.#lately.filter((one) => one !== text && one.startsWith(text));
      const before = lately.slice(0, 5).map((one) => ({ label: one, description: words.lately, alwaysShow: true, text: one }));
      pick.items = [run(text), ...found.map((one) => choiceOf(text, one)), ...before];
    };
    return () => {
      pick.items = [run(pick.value), ...pick.items.slice(1)];
      clearTimeout(timer);
      timer = setTimeout(() => void fill(pick.value), PAUSE_MS);
    };
  }

  async #choose(tql: string, { columns, rows, subjects, total }: TqlResult): Promise<void> {
    if (!rows.length) return void vscode.window.showInformationMessage(words.nothing);
    const names = await this.#names(columns, rows);
    const choices = rows.map((cells, place) => {
      const shown = cells.map((cell, column) => said(cell, columns[column]!.kind, names));
      const first = columns.map(({ name }) => FIRST.includes(name));
      const some = (wanted: boolean): string[] => shown.filter((text, column) => text && first[column] === wanted);
      const label = some(true).join(" ") || shown[0] || words.nothingSaid;
      return { label, description: some(false).join(" · "), subject: subjects?.[place] };
    });
    const title = `${words.found(total ?? rows.length)}: ${tql}`;
    const placeHolder = columns.map((column) => column.title).join(", ");
    const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder, matchOnDescription: true });
    const subject = chosen?.subject;
    if (!subject) return;
    const found = await this.#connection.attempt((kb) => kb.subjects.resolve({ refs: [subject] }));
    const path = found?.[0]?.path;
    if (path) await vscode.env.openExternal(this.#connection.page(path));
  }

  /** What the people in the cells are called. */
  async #names(columns: readonly TqlColumn[], rows: readonly (readonly unknown[])[]): Promise<ReadonlyMap<string, string>> {
    const people = columns.flatMap(({ kind }, column) => (kind === "person" ? rows.flatMap((cells) => cells[column] ?? []) : []));
    const some = [...new Set(people.map(String))].slice(0, MOST_PEOPLE);
    const names = await Promise.all(some.map(async (id) => (await this.#facts.names([id]).catch(() => [id]))[0]!));
    return new Map(some.map((id, place) => [id, names[place]!]));
  }
}

/** Positions are of characters, as the server counts them, not of halves of them. */
function choiceOf(text: string, { insert, label, kind, detail, from, to }: TqlCompletion): Choice {
  const characters = [...text];
  const made = [...characters.slice(0, from), insert, ...characters.slice(to)].join("");
  return { label, description: [kind, detail].filter(Boolean).join(" · "), alwaysShow: true, text: made };
}

function said(cell: unknown, kind: string, names: ReadonlyMap<string, string>): string {
  if (cell === null || cell === undefined) return "";
  if (Array.isArray(cell)) return cell.map((one) => said(one, kind, names)).join(", ");
  if (kind === "person") return names.get(String(cell)) ?? String(cell);
  if (kind === "time" && typeof cell === "number") return ago(cell);
  if (kind === "duration" && typeof cell === "number") return words.hours(Math.round(cell / 360) / 10);
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
