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
  let isTold = false;
  const tell = (): void => {
    if (isOurs && !isTold) say(t.newVersion, { title: t.loadAgain, run: () => location.reload() });
    isTold = isOurs;
  };
  workers.addEventListener("controllerchange", () => {
    tell();
    [isOurs, isTold] = [true, false];
  });
  workers.addEventListener("message", ({ data }: MessageEvent<ToPages>) => go(data.open));
  registered = workers.register("/worker.js").catch(() => undefined); // private windows may have none
  void registered.then((registration) => registration?.addEventListener("updatefound", () => void whenKept(registration, tell)));
  let wasAway = false;
  effect(() => {
    const isAway = offlineSince.value !== undefined;
    if (wasAway && !isAway) void update(workers);
    wasAway = isAway;
  });
}

/** What is newer can be loaded as soon as its files are here. The one before it goes when it has no work, which takes minutes now and then. */
async function whenKept({ installing }: ServiceWorkerRegistration, tell: () => void): Promise<void> {
  await installed(installing);
  if (installing?.state === "installed") tell();
}

/** A server that was away may have come back newer. */
async function update(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  await registration?.update().catch(() => undefined); // at the next visit, then
}
