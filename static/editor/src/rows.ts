/** A list of the side bar: kept while the server is away, read anew when something happens and somebody looks. */
import * as vscode from "vscode";
import type { Connection } from "./connection.ts";
import { told, words } from "./words.ts";

/** Said above the rows, with what mends it. */
export interface Notice {
  readonly notice: string;
  readonly command: vscode.Command;
}

/** Several events in a row are one reason to read. */
const PAUSE_MS = 1_000;

export class Rows<T extends object> implements vscode.TreeDataProvider<T | Notice>, vscode.Disposable {
  readonly #connection: Connection;
  readonly #load: () => Promise<readonly T[]>;
  readonly #item: (row: T) => vscode.TreeItem;
  readonly #wrong: vscode.Command;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changes.event;
  #view: vscode.TreeView<T | Notice> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | undefined;
  /** Counts what gave reason to read: an answer to an earlier one is not the last word. */
  #asked = 0;
  #stale = true;
  #said: string | undefined;
  rows: readonly T[] = [];

  /** `wrong`: what to do where the server does not take the question itself. */
  constructor(connection: Connection, load: () => Promise<readonly T[]>, item: (row: T) => vscode.TreeItem, wrong: vscode.Command) {
    this.#connection = connection;
    this.#load = load;
    this.#item = item;
    this.#wrong = wrong;
  }

  show(id: string): vscode.TreeView<T | Notice> {
    this.#view = vscode.window.createTreeView<T | Notice>(id, { treeDataProvider: this, showCollapseAll: false });
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible && this.#stale) void this.refresh();
    });
    return this.#view;
  }

  /** Something happened: read soon where somebody looks, or `always`; else when somebody does. */
  touch(always = false): void {
    this.#stale = true;
    if (!always && this.#view?.visible !== true) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, PAUSE_MS);
  }

  /** Show what is kept as it stands, with or without a notice. */
  redraw(): void {
    this.#changes.fire();
  }

  /** Another server or another person: nothing of before is shown. */
  empty(): void {
    this.#asked++;
    this.#reading = undefined;
    this.rows = [];
    this.#said = undefined;
    this.#stale = true;
    this.redraw();
  }

  async refresh(): Promise<void> {
    await this.#read();
    this.redraw();
    // What happened while it was read is not in it.
    if (this.#stale && !this.#said) this.touch();
  }

  /** A row that was dealt with is gone at once. */
  drop(row: T): void {
    this.rows = this.rows.filter((one) => one !== row);
    this.redraw();
  }

  async getChildren(parent?: T | Notice): Promise<(T | Notice)[]> {
    if (parent) return [];
    if (this.#stale && !this.#said && !this.rows.length && ["starting", "online"].includes(this.#connection.state)) await this.#read();
    return [...this.#notices(), ...this.rows];
  }

  getTreeItem(row: T | Notice): vscode.TreeItem {
    if (!("notice" in row)) return this.#item(row);
    const item = new vscode.TreeItem(row.notice);
    item.iconPath = new vscode.ThemeIcon("warning");
    item.tooltip = `${row.notice} (${row.command.title})`;
    item.description = row.command.title;
    item.command = row.command;
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changes.dispose();
    this.#view?.dispose();
  }

  #read(): Promise<void> {
    if (this.#reading) return this.#reading;
    const reading = this.#ask().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return (this.#reading = reading);
  }

  async #ask(): Promise<void> {
    const asked = ++this.#asked;
    this.#stale = false;
    try {
      const rows = await this.#load();
      if (asked !== this.#asked) return;
      this.rows = rows;
      this.#said = undefined;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#stale = true;
      this.#said = told(error, this.#connection.address);
    }
  }

  #notices(): Notice[] {
    const { state } = this.#connection;
    if (state === "online" || state === "starting") {
      return this.#said ? [{ notice: this.#said, command: this.#wrong }] : [];
    }
    const title = state === "offline" ? words.tryAgain : words.signIn;
    return this.rows.length ? [{ notice: words.shownOld, command: { command: "kbwork.connect", title } }] : [];
  }
}
