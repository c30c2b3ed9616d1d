/** A provider for OpenFeature's server SDK, of flags that are evaluated in the program. */
import { OpenFeatureEventEmitter } from "@openfeature/server-sdk";
import { type Emitter, type Follows, inOurWords, Provider } from "./provider.ts";

interface Server extends Follows {
  track(name: string, context: unknown, data?: unknown): void;
}

export class KbworkProvider extends Provider<Server> {
  readonly runsOn = "server";
  readonly events: OpenFeatureEventEmitter;

  constructor(client: Server) {
    const events = new OpenFeatureEventEmitter();
    super(client, events as Emitter);
    this.events = events;
  }

  async resolveBooleanEvaluation(key: string, fallback: boolean, context: object): Promise<unknown> {
    return this._resolved(key, fallback, context, "boolean");
  }

  async resolveStringEvaluation(key: string, fallback: string, context: object): Promise<unknown> {
    return this._resolved(key, fallback, context, "string");
  }

  async resolveNumberEvaluation(key: string, fallback: number, context: object): Promise<unknown> {
    return this._resolved(key, fallback, context, "number");
  }

  async resolveObjectEvaluation(key: string, fallback: unknown, context: object): Promise<unknown> {
    return this._resolved(key, fallback, context, "any");
  }

  track(name: string, context: object, details: object = {}): void {
    this._client.track(name, inOurWords(context), details);
  }
}
