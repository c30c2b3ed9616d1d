/** What clients of every sort have. */
import type { Detail } from "./engine.js";

/** An answer of the type that was asked for; `reason` says why it is this one. */
export interface DetailOf<T> extends Detail {
  readonly value: T;
}

export interface Logger {
  warn(text: string): void;
  error(text: string, error: unknown): void;
}

export interface Options {
  /** Where kbwork is; `http://127.0.0.1:8080` where left out. */
  baseUrl?: string;
  /** So long `ready` waits for the first snapshot: 5000. */
  initTimeoutMs?: number;
  /** Whether counts of evaluations are sent: true. */
  sendEvents?: boolean;
  /** How often they are: 300000. */
  flushIntervalMs?: number;
  /** Names, or paths such as `/address/city`, of attributes that never leave. */
  privateAttributes?: readonly string[];
  /** Keeps the last snapshot as it came, for a start without the service: a file, in pages a name in localStorage. */
  cachePath?: string;
  /** Instead of the global one. */
  fetch?: typeof fetch;
  /** Where it says what goes wrong: the console. */
  logger?: Logger;
}

export interface Status {
  /** The stream of changes is open. */
  readonly connected: boolean;
  /** So long ago the service last said that what is served is so; null where it never did. */
  readonly ageMs: number | null;
  readonly lastError: string | null;
}

export interface Follows {
  /** Of the environment that is served; null where there is no snapshot yet. */
  readonly version: number | null;
  readonly status: Status;
  /**
   * Waits for the first snapshot, `initTimeoutMs` at most; false where none came, and it goes on trying. A snapshot from
   * the cache counts once the service is known to be out of reach.
   */
  ready(timeoutMs?: number): Promise<boolean>;
  /** Sends what was counted now; false where it took longer, or the client is closed. */
  flush(timeoutMs?: number): Promise<boolean>;
  /** Sends what was counted, and stops. Flags are answered still, as they are. */
  close(): Promise<void>;
  /** Calls this after each new snapshot, in pages also after `identify`; answers what ends it. */
  subscribe(heard: () => void): () => void;
}
