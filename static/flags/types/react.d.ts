/** Flags in React 18 and newer. */
import type { ReactElement, ReactNode } from "react";
import type { BrowserClient } from "./browser.js";
import type { DetailOf } from "./client.js";
import type { Client } from "./index.js";
import type { TestClient } from "./testing.js";

export type { BrowserClient } from "./browser.js";
export type { Client } from "./index.js";
export type { TestClient } from "./testing.js";
export type { DetailOf } from "./client.js";

export interface FlagsProviderProps {
  /** Of a page; where a server renders, its own, which answers for `context`; in tests the one for tests. */
  readonly client: BrowserClient | Client | TestClient;
  /** Who flags are evaluated for. Where it is another than before, `identify` is called. */
  readonly context?: unknown;
  readonly children?: ReactNode;
}

/** Gives a client to what it holds. */
export declare function FlagsProvider(props: FlagsProviderProps): ReactElement;

/** What a default says of the value: a boolean, a text, a number, or JSON of that form. */
export type ValueOf<T> = T extends boolean ? boolean : T extends string ? string : T extends number ? number : T;

/** What a flag serves; the component is drawn again when that changes. Without a provider it is the default. */
export declare function useFlag<T>(key: string, fallback: T): ValueOf<T>;
/**
 * The same with the reason. It is counted when the component has been drawn, and again when the answer changes; what a
 * server renders is not counted.
 */
export declare function useFlagDetail<T>(key: string, fallback: T): DetailOf<ValueOf<T>>;
/** The client of the provider around; undefined where there is none. */
export declare function useFlagsClient(): FlagsProviderProps["client"] | undefined;
