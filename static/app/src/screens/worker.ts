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
  workers.register("/worker.js").then(updateAfterOutages, () => undefined); // private windows may have none
}

/** A server that was away may have come back newer. */
function updateAfterOutages(registration: ServiceWorkerRegistration): void {
  let wasAway = false;
  effect(() => {
    const isAway = offlineSince.value !== undefined;
    if (wasAway && !isAway) registration.update().catch(() => undefined); // at the next visit, then
    wasAway = isAway;
  });
}
