/** A provider for OpenFeature's web SDK: its context is told once, and flags are evaluated in the page. */
import type { EvaluationContext, JsonValue, OpenFeatureEventEmitter, Provider, ResolutionDetails, TrackingEventDetails } from "@openfeature/web-sdk";
import type { BrowserClient } from "./browser.js";
import type { TestClient } from "./testing.js";

export declare class KbworkWebProvider implements Provider {
  /** The client is the provider's from now on, which closes it at the end. */
  constructor(client: BrowserClient | TestClient);
  readonly metadata: { readonly name: string };
  readonly runsOn: "client";
  /** Ready, stale where kbwork is out of reach, ready again, in error where the key was refused, and each new version. */
  readonly events: OpenFeatureEventEmitter;
  initialize(context?: EvaluationContext): Promise<void>;
  onContextChange(before: EvaluationContext, context: EvaluationContext): Promise<void>;
  onClose(): Promise<void>;
  resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext): ResolutionDetails<boolean>;
  resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext): ResolutionDetails<string>;
  resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext): ResolutionDetails<number>;
  /** An object or a list. */
  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T, context: EvaluationContext): ResolutionDetails<T>;
  track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void;
}
