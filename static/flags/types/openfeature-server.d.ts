/** A provider for OpenFeature's server SDK, of flags that are evaluated in the program. */
import type { EvaluationContext, JsonValue, OpenFeatureEventEmitter, Provider, ResolutionDetails, TrackingEventDetails } from "@openfeature/server-sdk";
import type { Client } from "./index.js";
import type { TestClient } from "./testing.js";

export declare class KbworkProvider implements Provider {
  /** The client is the provider's from now on, which closes it at the end. */
  constructor(client: Client | TestClient);
  readonly metadata: { readonly name: string };
  readonly runsOn: "server";
  /** Ready, stale where kbwork is out of reach, ready again, in error where the key was refused, and each new version. */
  readonly events: OpenFeatureEventEmitter;
  initialize(): Promise<void>;
  onClose(): Promise<void>;
  resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext): Promise<ResolutionDetails<boolean>>;
  resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext): Promise<ResolutionDetails<string>>;
  resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext): Promise<ResolutionDetails<number>>;
  /** An object or a list. */
  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T, context: EvaluationContext): Promise<ResolutionDetails<T>>;
  track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void;
}
