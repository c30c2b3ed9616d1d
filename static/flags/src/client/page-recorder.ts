/** A recorder of a page, which may be gone at any moment: what it has counted is given to the browser. */
import type { Tells } from "./answers.ts";
import type { Settings } from "./options.ts";
import { asBatch, Recorder } from "./recorder.ts";
import type { Wire } from "./wire.ts";

/** Browsers take 64 KiB from a page that goes. */
const LEFT_CHARS = 20_000;

export class PageRecorder extends Recorder {
  readonly #stopListening: () => void;

  constructor(wire: Wire, settings: Settings, since: number, early: readonly Tells[]) {
    super(wire, settings, since, early);
    this.#stopListening = whereHidden(() => this.#leave());
  }

  override _refuse(): void {
    this.#stopListening();
    super._refuse();
  }

  /** Give what there is to the browser, which sends it though the page goes; what it does not take waits on. */
  #leave(): void {
    this._gather();
    for (let batch; (batch = this._batch(LEFT_CHARS)).length; ) {
      if (!this.#isTaken(asBatch(batch))) return void this._waiting.unshift(...batch);
    }
  }

  #isTaken(body: string): boolean {
    const { url, credential } = this._wire._settings;
    return navigator.sendBeacon(`${url}/events?clientId=${encodeURIComponent(credential)}`, new Blob([body], { type: "text/plain" }));
  }
}

/** Call this when the page may be gone soon, also at once; answers what ends it. */
function whereHidden(leave: () => void): () => void {
  if (typeof document === "undefined") return () => {};
  const hidden = (): void => {
    if (document.visibilityState === "hidden") leave();
  };
  document.addEventListener("visibilitychange", hidden);
  addEventListener("pagehide", leave);
  hidden();
  return () => {
    document.removeEventListener("visibilitychange", hidden);
    removeEventListener("pagehide", leave);
  };
}
