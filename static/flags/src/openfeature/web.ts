/** A provider for OpenFeature's web SDK: its context is told once, and flags are evaluated in the page. */
import { OpenFeatureEventEmitter } from "@openfeature/web-sdk";
import { type Emitter, type Follows, inOurWords, Provider } from "./provider.ts";

interface Page extends Follows {
  identify(context: unknown): Promise<void>;
  track(name: string, data?: unknown): void;
}

export class KbworkWebProvider extends Provider<Page> {
  readonly runsOn = "client";
  readonly events: OpenFeatureEventEmitter;

  constructor(client: Page) {
    const events = new OpenFeatureEventEmitter();
    super(client, events as Emitter);
    this.events = events;
  }

  override async initialize(context: object = {}): Promise<void> {
    await this._client.identify(inOurWords(context));
    await super.initialize();
  }

  onContextChange(_: object, context: object): Promise<void> {
    return this._client.identify(inOurWords(context));
  }

  resolveBooleanEvaluation(key: string, fallback: boolean, context: object): unknown {
    return this._resolved(key, fallback, context, "boolean");
  }

  resolveStringEvaluation(key: string, fallback: string, context: object): unknown {
    return this._resolved(key, fallback, context, "string");
  }

  resolveNumberEvaluation(key: string, fallback: number, context: object): unknown {
    return this._resolved(key, fallback, context, "number");
  }

  resolveObjectEvaluation(key: string, fallback: unknown, context: object): unknown {
    return this._resolved(key, fallback, context, "any");
  }

  track(name: string, _: object, details: object = {}): void {
    this._client.track(name, details);
  }
}
