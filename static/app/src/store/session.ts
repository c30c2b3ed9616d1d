/** Who is here, and how the connection stands. */
import { computed, signal } from "@preact/signals";
import type { Me } from "@kbwork/client";

export const me = signal<Me | undefined>(undefined);
/** Whether the server said so, or the disk: what was changed is sent only when it is known whose cookie goes with it. */
export const greeted = signal(false);
/** Something can be shown: from the disk, or from the server. */
export const ready = signal(false);
/** The server does not answer, since when, in milliseconds. */
export const offlineSince = signal<number | undefined>(undefined);
/** Why nothing works any more, where that is for good. */
export const ended = signal<string | undefined>(undefined);

export const myId = computed(() => me.value?.member.id ?? "");

export function may(scope: string): boolean {
  return me.value?.scopes.includes(scope) ?? false;
}

/** To the sign-in, and back here afterwards. */
export function signIn(): void {
  const back = location.pathname + location.search;
  location.assign(`/signin?next=${encodeURIComponent(back)}`);
}
