/** What stands between the pages and the server: it is registered, says where to go, and when it is of a newer version. */
import { effect } from "@preact/signals";
import { offlineSince } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import type { ToPages } from "../ui/places.ts";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

export function register(): void {
  // Pages by plain http have none.
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!workers) return;
  let isOurs = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    if (isOurs) say(t.newVersion, { title: t.loadAgain, run: () => location.reload() });
    isOurs = true;
  });
  workers.addEventListener("message", ({ data }: MessageEvent<ToPages>) => go(data.open));
  workers.register("/worker.js").catch(() => undefined); // private windows may have none
  let wasAway = false;
  effect(() => {
    const isAway = offlineSince.value !== undefined;
    if (wasAway && !isAway) void update(workers);
    wasAway = isAway;
  });
}

/** A server that was away may have come back newer. */
async function update(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  await registration?.update().catch(() => undefined); // at the next visit, then
}
