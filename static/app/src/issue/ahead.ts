/** What of an issue is shown when it is opened, fetched while the cursor rests on it, or while it is drawn. */
import { effect, untracked } from "@preact/signals";
import { cursor, open, openKey } from "../issues/cursor.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { here, peeked } from "../ui/router.ts";
import { fetchAhead } from "./details.ts";

/** Who goes on down the list wants none of those that lie on the way. */
const RESTS_MS = 150;

effect(() => {
  const id = cursor.value;
  // One that is open is fetched by whoever shows it, and is here still when it is closed.
  if (id === undefined || openKey.peek() || offlineSince.value !== undefined) return;
  const timer = setTimeout(() => fetch(id), RESTS_MS);
  return () => clearTimeout(timer);
});

effect(() => {
  // In a room the cursor goes over issues that are not shown.
  const id = peeked.value !== null || here.value.name === "issue" ? open.value : undefined;
  if (id !== undefined && offlineSince.peek() === undefined) untracked(() => fetch(id));
});

function fetch(id: number): void {
  const issue = tables.issue.get(id);
  if (issue) fetchAhead(issue);
}
