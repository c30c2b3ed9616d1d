/** A client for tests: flags as they are told, without a network. It stands for those of servers and of pages. */
import type { DetailOf, Follows } from "./client.js";
import type { Detail } from "./engine.js";

export interface TestOptions {
  /** What each flag serves, to everybody. */
  flags?: Readonly<Record<string, unknown>>;
}

export interface TestClient extends Follows {
  /** Serves this value from now on; undefined takes the flag away. Those who listen are told. */
  set(key: string, value: unknown): void;
  boolean(key: string, fallback: boolean, context?: unknown): boolean;
  string(key: string, fallback: string, context?: unknown): string;
  number(key: string, fallback: number, context?: unknown): number;
  json(key: string, fallback: unknown, context?: unknown): unknown;
  booleanDetail(key: string, fallback: boolean, context?: unknown): DetailOf<boolean>;
  stringDetail(key: string, fallback: string, context?: unknown): DetailOf<string>;
  numberDetail(key: string, fallback: number, context?: unknown): DetailOf<number>;
  jsonDetail(key: string, fallback: unknown, context?: unknown): DetailOf<unknown>;
  watch(key: string, heard: (detail: Detail) => void, context?: unknown): () => void;
  /** Nothing is told to anybody. */
  track(name: string, ...more: unknown[]): void;
  identify(context?: unknown): Promise<void>;
}

export declare const testClient: (options?: TestOptions) => TestClient;
