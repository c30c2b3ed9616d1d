/**
 * What others do with pages, as it happens. The stream of the app tells of what it keeps, and pages are not among that:
 * while pages are shown, one tab of the browser has a stream of their events and tells the others.
 */
import { useEffect } from "preact/hooks";
import type { StreamOptions } from "@kbwork/client";
import { server } from "../store/server.ts";
import { ended } from "../store/session.ts";
import { moved } from "./known.ts";

const KINDS = ["page.*", "space.*", "comment.*"] satisfies StreamOptions["kinds"];
/** What happens within so many milliseconds is fetched once. */
const TOGETHER_MS = 150;
const RETRY_MS = 5_000;
const LOOK_MS = 15_000;

let timer: ReturnType<typeof setTimeout> | undefined;

function heard(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    moved.value++;
  }, TOGETHER_MS);
}

/** Hear of others for as long as this is shown. */
export function useLive(): void {
  useEffect(() => {
    const stopper = new AbortController();
    const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("kbwork-pages");
    if (tabs) tabs.onmessage = heard;
    const tell = (): void => {
      heard();
      tabs?.postMessage("happened");
    };
    const listen = async (): Promise<void> => {
      while (!stopper.signal.aborted && ended.peek() === undefined) {
        try {
          for await (const message of server.stream({ kinds: KINDS, signal: stopper.signal, retries: Infinity })) {
            if (message.kind === "bye") return;
            if (message.kind !== "hello") tell();
          }
        } catch {
          tell(); // what was missed is asked for
          await new Promise((go) => setTimeout(go, RETRY_MS));
        }
      }
    };
    const locks = (navigator as { locks?: LockManager }).locks;
    locks?.request("kbwork-pages", { signal: stopper.signal }, listen).catch(() => undefined); // it is shown no more
    // By plain http there are none, and each tab would have a stream of its own: of these a browser allows six in all.
    const timer = locks ? undefined : setInterval(() => document.hidden || heard(), LOOK_MS);
    return () => {
      clearInterval(timer);
      stopper.abort();
      tabs?.close();
    };
  }, []);
}
