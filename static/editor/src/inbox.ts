/** The inbox of the side bar: what waits, opened, put off and dealt with in place. */
import * as vscode from "vscode";
import type { Notification } from "@kbwork/client";
import type { Connection } from "./connection.ts";
import type { Rows } from "./rows.ts";
import { eventOf, SNOOZES, whyOf } from "../../app/src/inbox/reasons.ts";
import { ago, words } from "./words.ts";

const MOST_ROWS = 50;
const MORNING_H = 9;

export async function entries(connection: Connection): Promise<Notification[]> {
  const { items } = await connection.ask((kb) => kb.notifications.list({ limit: MOST_ROWS }));
  return items;
}

export function entryItem(entry: Notification): vscode.TreeItem {
  const item = new vscode.TreeItem(entry.title);
  const summary = eventOf(entry)?.summary ?? "";
  item.id = `${entry.id}`;
  // A newer server may know others.
  const reason = whyOf(entry);
  item.description = `${summary || reason} · ${ago(entry.at)}`;
  item.tooltip = [entry.title, summary, words.because(reason)].filter(Boolean).join("\n");
  item.contextValue = "entry";
  item.iconPath = new vscode.ThemeIcon(entry.reason === "mentioned" || entry.reason === "replied" ? "mention" : "bell-dot");
  item.command = { command: "kbwork.entryOpen", title: words.open, arguments: [entry] };
  return item;
}

export class Inbox {
  readonly #connection: Connection;
  readonly #rows: Rows<Notification>;

  constructor(connection: Connection, rows: Rows<Notification>) {
    this.#connection = connection;
    this.#rows = rows;
  }

  /** Opened is read. */
  async open(entry: Notification): Promise<void> {
    if (!(await vscode.env.openExternal(this.#connection.page(entry.path)))) return;
    await this.#deal(entry, () => this.#connection.attempt((kb) => kb.notifications.read({ ids: [entry.id] })));
  }

  async done(entry: Notification): Promise<void> {
    await this.#deal(entry, () => this.#connection.attempt((kb) => kb.notifications.archive({ ids: [entry.id] })));
  }

  async snooze(entry: Notification): Promise<void> {
    const { hours, tomorrow, monday, week } = SNOOZES;
    const now = new Date();
    const choices = [
      { label: hours, until: new Date(now.getTime() + 3 * 3_600_000) },
      { label: tomorrow, until: morning(now, 1) },
      { label: monday, until: morning(now, (8 - now.getDay()) % 7 || 7) },
      { label: week, until: morning(now, 7) },
    ];
    const items = choices.map((one) => ({ ...one, description: one.until.toLocaleString() }));
    const chosen = await vscode.window.showQuickPick(items, { title: words.snooze });
    if (!chosen) return;
    const until = Math.round(chosen.until.getTime() / 1000);
    await this.#deal(entry, () => this.#connection.attempt((kb) => kb.notifications.snooze({ ids: [entry.id], until })));
  }

  /** It leaves the list at once, and is back where the server says no. */
  async #deal(entry: Notification, work: () => Promise<unknown>): Promise<void> {
    this.#rows.drop(entry);
    await work();
    await this.#rows.refresh();
  }
}

/** So many days on, by the clock on the wall. */
function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_H);
}
