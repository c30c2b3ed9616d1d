/** Which models can be asked, and by whose key: what people have of their own, this browser alone knows. */
import { computed, signal } from "@preact/signals";
import type { AIPolicy, AIProvider } from "@kbwork/client";
import { away, server } from "./server.ts";
import { may, myId } from "./session.ts";

/** Somebody who can be asked. `own`: by this browser and the person's own key, and not by the server. */
export interface Way {
  readonly provider: AIProvider;
  readonly own: boolean;
}

/** A key is of one address: where admins put another, it is not sent there. */
interface Kept {
  readonly key: string;
  readonly address: string;
}

export const policy = signal<AIPolicy | undefined>(undefined);
export const canAsk = computed(() => ways(policy.value).length > 0);

/** Answers whether the server did. */
export async function fetchPolicy(): Promise<boolean> {
  try {
    if (may("ai:read")) policy.value = await server.ai.policy();
  } catch (error) {
    return !away(error);
  }
  return true;
}

/** The server's first: nobody needs a key for these. */
export function ways(found: AIPolicy | undefined): Way[] {
  if (!found?.enabled) return [];
  const on = found.providers.filter(({ enabled }) => enabled);
  const byServer = may("ai:write") ? on.filter((one) => one.has_key && (found.org_keys || !one.needs_key)) : [];
  return [...byServer.map((provider) => ({ provider, own: false })), ...askedHere(found).map((provider) => ({ provider, own: true }))];
}

/** Those that browsers ask by themselves. */
export function askedHere({ enabled, browser_keys, providers }: AIPolicy): AIProvider[] {
  return enabled && browser_keys ? providers.filter((one) => one.enabled && one.browser) : [];
}

const nameOf = ({ id }: AIProvider): string => `kbwork.model-key.${myId.peek()}.${id}`;

/** Goes with everything else that the browser keeps of a site when its person signs out. */
export function ownKey(provider: AIProvider): string | undefined {
  const kept = JSON.parse(localStorage.getItem(nameOf(provider)) ?? "{}") as Partial<Kept>;
  return kept.address === provider.base_url ? kept.key : undefined;
}

/** Nothing: it is forgotten. */
export function keepOwnKey(provider: AIProvider, key: string): void {
  if (key) localStorage.setItem(nameOf(provider), JSON.stringify({ key, address: provider.base_url } satisfies Kept));
  else localStorage.removeItem(nameOf(provider));
}
