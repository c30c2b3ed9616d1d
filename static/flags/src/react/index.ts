"use client";
/** Flags in React: a provider, and hooks whose components are drawn again when what their flag serves is another. */
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type Detail, failed, type Wanted } from "../engine/details.ts";
import type { Answers } from "../client/answers.ts";

/** A client of any sort: of a page, of a server that renders, or for tests. */
interface Held {
  readonly client: Answers & { identify(context: unknown): unknown };
  readonly context: unknown;
}

const Kept = createContext<Held | undefined>(undefined);
const NOT_READY = failed("CLIENT_NOT_READY");

/** Gives a client to what it holds. Where `context` is another than before, flags are evaluated for that from then on. */
export function FlagsProvider({ client, context, children }: Held & { readonly children?: ReactNode }): ReactElement {
  const text = JSON.stringify(context);
  // The same context, written anew each time it is drawn, is no other one.
  const held = useMemo(() => ({ client, context }), [client, text]);
  useEffect(() => {
    if (held.context !== undefined) void held.client.identify(held.context);
  }, [held]);
  return createElement(Kept.Provider, { value: held }, children);
}

/** The client of the provider around; undefined where there is none. */
export function useFlagsClient(): Held["client"] | undefined {
  return useContext(Kept)?.client;
}

export function useFlag(key: string, fallback: unknown): unknown {
  return useFlagDetail(key, fallback).value;
}

/**
 * The answer and why. It is counted when it has been drawn, and again when it changes; what is drawn and thrown away, or
 * rendered by a server, is not.
 */
export function useFlagDetail(key: string, fallback: unknown): Detail {
  const held = useContext(Kept);
  const last = useRef<Detail>(undefined);
  const wanted = typeof fallback;
  const asked = wanted === "boolean" || wanted === "string" || wanted === "number" ? wanted : "any";
  const look = (): Detail => {
    const now = held ? held.client._detail(key, fallback, held.context, asked, false) : { ...NOT_READY, value: fallback };
    // React compares by identity, and asks often.
    return JSON.stringify(now) === JSON.stringify(last.current) ? last.current! : (last.current = now);
  };
  const subscribe = useMemo(() => (heard: () => void) => held?.client.subscribe(heard) ?? (() => {}), [held]);
  const detail = useSyncExternalStore(subscribe, look, look);
  useEffect(() => {
    if (held) held.client._detail(key, fallback, held.context, asked as Wanted);
  }, [held, key, asked, detail]);
  return detail;
}
