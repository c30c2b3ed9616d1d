/**
 * Stands between the pages of a browser and the server: it keeps the files of the app, so that the app begins without a
 * network, and shows what the server pushes. Everything but the app's own pages and files goes by it untouched.
 */
import { isScreen, type ToPages } from "../src/ui/places.ts";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: the files of the app, whose names change with what is in them. */
declare const FILES: readonly string[];

const CACHE = `kbwork-${hash(FILES.join())}`;
const SHELL = "/issues";
/** So long a page waits for the server before it is shown from here. */
const PATIENCE_MS = 3_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (isScreen(pathname)) event.respondWith(page(request));
  } else if (pathname.startsWith("/app/")) event.respondWith(file(request));
});

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as Pushed));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { path: string }).path));
});

/** What the server sends. */
interface Pushed {
  readonly title: string;
  readonly text: string;
  readonly path: string;
  /** What is about the same stands in the place of what nobody looked at. */
  readonly subject: string;
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => `/app/${name}`));
  const shell = await fetch(SHELL, { redirect: "manual" });
  if (shell.ok) await cache.put(SHELL, shell); // else nobody is signed in: the first visit brings it
}

/** But for those of the version before: a page of it that is open still fetches rooms. */
async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("kbwork-") && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** From the server, which knows who is signed in and which version there is; from here where it does not answer. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(SHELL);
  const asked = fetch(request);
  if (!kept) return remember(cache, await asked);
  // What stands in front of a server says 502 and the like where that is not up.
  const answered = asked.then((found) => (found.status < 500 ? remember(cache, found) : kept), () => kept);
  return Promise.race([answered, late(kept)]);
}

/** Every screen of the app is the same page. */
function remember(cache: Cache, found: Response): Response {
  if (found.ok && !found.redirected && found.type === "basic") void cache.put(SHELL, found.clone());
  return found;
}

/** A file of the app never changes under its name, and may be of the version before. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const found = await fetch(request);
  keep(request, found);
  return found;
}

function late(kept: Response): Promise<Response> {
  return new Promise((go) => setTimeout(() => go(kept), PATIENCE_MS));
}

/** Behind the end of a session nothing is kept, though its page asks for the style, and a file may have been on its way. */
function keep(request: Request, found: Response): void {
  if (!found.ok) return;
  const copy = found.clone(); // before anybody reads it
  void caches.has(CACHE).then(async (isOpen) => isOpen && (await caches.open(CACHE)).put(request, copy));
}

async function show({ title, text, path, subject }: Pushed): Promise<void> {
  await self.registration.showNotification(title, { body: text, icon: "/favicon.svg", data: { path }, tag: subject });
}

/** In a tab of the app that is open already, which goes there without losing what is written in it; or in a new one. */
async function open(path: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window" });
  const tab = tabs.find((one) => isScreen(new URL(one.url).pathname));
  if (!tab) {
    await self.clients.openWindow(path);
    return;
  }
  await tab.focus();
  tab.postMessage({ open: path } satisfies ToPages);
}

function hash(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) >>> 0;
  return sum.toString(36);
}
