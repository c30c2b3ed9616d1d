/** What stands between the pages and the server: it is registered, says where to go, and when it is of a newer version. */
import { effect } from "@preact/signals";
import { offlineSince } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import type { ToPages } from "../ui/places.ts";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

const LONGEST_MS = 3_000;

let registered: Promise<ServiceWorkerRegistration | undefined> = Promise.resolve(undefined);
let isWanted = true;

/** Register none from here on. Settles when one that is on its way stands: it would come behind an order to clear this browser. */
export async function settle(): Promise<void> {
  isWanted = false;
  const patience = new Promise<void>((go) => setTimeout(go, LONGEST_MS));
  await Promise.race([registered.then((registration) => installed(registration?.installing)), patience]);
}

async function installed(worker: ServiceWorker | null | undefined): Promise<void> {
  if (worker) await new Promise((go) => worker.addEventListener("statechange", go, { once: true }));
}

export function register(): void {
  // Pages by plain http have none.
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!workers || !isWanted) return;
  let isOurs = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    if (isOurs) say(t.newVersion, { title: t.loadAgain, run: () => location.reload() });
    isOurs = true;
  });
  workers.addEventListener("message", ({ data }: MessageEvent<ToPages>) => go(data.open));
  registered = workers.register("/worker.js").catch(() => undefined); // private windows may have none
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
