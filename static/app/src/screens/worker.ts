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
    const look = (): void => void whenKept(registration?.installing ?? registration?.waiting, tell);
    registration?.addEventListener("updatefound", look);
    look();
  });
  let wasAway = false;
  effect(() => {
    const isAway = offlineSince.value !== undefined;
    if (wasAway && !isAway) void update(workers);
    wasAway = isAway;
  });
}

/**
 * What is newer can be loaded as soon as its files are here. The worker of the version before goes when it has no work, and
 * now and then that takes minutes.
 */
async function whenKept(worker: ServiceWorker | null | undefined, tell: () => Promise<void>): Promise<void> {
  if (worker?.state === "installing") await installed(worker);
  if (worker && worker.state !== "redundant") await tell();
}

/**
 * Whether this page is of the version whose files came last: it may have been loaded since then. The server is not asked: a
 * request would go to the worker of before, which Chromium may be about to end.
 */
async function isNewest(): Promise<boolean> {
  const files = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>("script[src^='/app/'], link[href^='/app/']");
  for (const name of (await caches.keys()).filter((one) => one.startsWith("kbwork-")).reverse()) {
    const kept = (await (await caches.open(name)).keys()).map(({ url }) => url);
    if (kept.length) return [...files].every((file) => kept.includes("src" in file ? file.src : file.href));
  }
  return true;
}

/** A server that was away may have come back newer. */
async function update(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration();
  await registration?.update().catch(() => undefined); // at the next visit, then
}
