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
  const tell = async (): Promise<void> => {
    if (!isOurs || (await isNewest()) || isTold) return;
    isTold = true;
    say(t.newVersion, { title: t.loadAgain, run: () => location.reload() });
  };
  workers.addEventListener("controllerchange", () => {
    void tell().then(() => (isTold = false));
    isOurs = true;
  });
  workers.addEventListener("message", ({ data }: MessageEvent<ToPages>) => go(data.open));
  registered = workers.register("/worker.js").catch(() => undefined); // private windows may have none
  void registered.then((registration) => {
    const look = (): void => void installed(registration?.installing).then(tell);
    registration?.addEventListener("updatefound", look);
    if (registration?.installing ?? registration?.waiting) look();
  });
  let wasAway = false;
  effect(() => {
    const isAway = offlineSince.value !== undefined;
    if (wasAway && !isAway) void update(workers);
    wasAway = isAway;
  });
}

/**
 * Whether this page is of the version whose files came last: it may have been loaded since then. They can be loaded before
 * the worker of the version before has gone, which it does when it has no work: that takes minutes now and then.
 */
async function isNewest(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]")!;
  const last = (await caches.keys()).findLast((name) => name.startsWith("kbwork-"));
  return last === undefined || (await (await caches.open(last)).match(script.src)) !== undefined;
}

/** A server that was away may have come back newer. */
async function update(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  await registration?.update().catch(() => undefined); // at the next visit, then
}
