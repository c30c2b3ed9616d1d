/** How much waits in the person's inbox. */
import { signal } from "@preact/signals";
import { away, server } from "./server.ts";
import { may } from "./session.ts";

export const unread = signal(0);
/** Moves whenever something of the inbox changed: whoever shows it looks again. */
export const inboxMoved = signal(0);

/** Ask how much is unread, and have whoever shows the inbox look again. */
export async function refreshInbox(): Promise<void> {
  if (!may("notifications:read")) return;
  inboxMoved.value++;
  try {
    unread.value = (await server.notifications.count()).unread;
  } catch (error) {
    if (!away(error)) throw error; // with the network comes a new stream, and with that this
  }
}
