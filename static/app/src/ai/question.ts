/** What the app and the worker that asks models say to each other. */
export interface Question {
  /** The wire format of the provider. */
  readonly kind: string;
  readonly base_url: string;
  /** Undefined: it takes none. */
  readonly key: string | undefined;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
}

/** `said`: what the provider answered with its refusal, in its own words. */
export type Answer =
  | { readonly text: string }
  | { readonly why: "unreached" | "slow" | "odd" }
  | { readonly why: "refused"; readonly status: number; readonly said: string };
