/** What the providers for OpenFeature of both sorts are; its SDKs are brought by whoever uses them. */
import type { Answers } from "../client/answers.ts";
import type { State } from "../client/core.ts";
import { timer } from "../client/waiting.ts";
import { type Detail, type Wanted, WRONG_TYPE } from "../engine/details.ts";
import { isObject, type Loose, own, read } from "../engine/values.ts";

/** A client of ours, or one for tests, which is always well. */
export interface Follows extends Answers {
  _state?: State | undefined;
  _turned?: ((state: State) => void) | undefined;
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** By which the SDK hears of a provider. */
export interface Emitter {
  emit(event: string, details?: Failure): void;
}

interface Failure {
  readonly errorCode?: string;
  readonly message?: string;
}

/** An answer as OpenFeature has it. */
interface Resolution {
  readonly value: unknown;
  readonly reason: string;
  readonly variant?: string;
  readonly flagMetadata?: { readonly flagVersion: number };
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

const NOT_READY = ["PROVIDER_NOT_READY", "there is no snapshot of the flags yet"] as const;
const FAULT = ["GENERAL", "the flag could not be evaluated; the log says why"] as const;
const REFUSED: Failure = { errorCode: "PROVIDER_FATAL", message: "the key is refused: flags stay as they are" };
const FAILURES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  FLAG_NOT_FOUND: ["FLAG_NOT_FOUND", "there is no such flag"],
  INVALID_CONTEXT: ["INVALID_CONTEXT", "the context has no usable key or kind"],
  MALFORMED_FLAG: ["PARSE_ERROR", "the flag's configuration is broken"],
  WRONG_TYPE: ["TYPE_MISMATCH", "the flag's value is of another type"],
  CLIENT_NOT_READY: NOT_READY,
};

export class Provider<C extends Follows> {
  readonly metadata = { name: "kbwork" };
  readonly _client: C;
  readonly #events: Emitter;
  readonly #end: () => void;
  #version: number | null;
  /** The SDK was told that flags are not there, or may be old: it is told when they are well again. */
  #isUnwell = false;

  constructor(client: C, events: Emitter) {
    this._client = client;
    this.#events = events;
    client._turned = (state) => this.#turned(state);
    this.#version = client.version;
    this.#end = client.subscribe(() => this.#changed());
  }

  /** Wait for the first snapshot. Throws where none comes in time; the client goes on trying. */
  async initialize(): Promise<void> {
    if (await this._client.ready()) {
      // What is served may be of before: the SDK calls the provider ready first, whatever it was told until then.
      timer(() => this.#turned(this._client._state), 0);
      return;
    }
    this.#isUnwell = true;
    const [code, message] = this._client._state === "refused" ? [REFUSED.errorCode, REFUSED.message] : NOT_READY;
    throw Object.assign(new Error(message), { code });
  }

  /** Send what was counted, and stop. */
  async onClose(): Promise<void> {
    this.#end();
    this._client._turned = undefined;
    await this._client.close();
  }

  /** `wanted`: `any` stands for an object or a list. */
  _resolved(key: string, fallback: unknown, given: object, wanted: Wanted): Resolution {
    const context = inOurWords(given);
    const found = this._client._detail(key, fallback, context, wanted);
    const isFit = wanted !== "any" || found.variation === null || (typeof found.value === "object" && found.value !== null);
    return this.#told(key, isFit ? found : { ...WRONG_TYPE, value: fallback }, context);
  }

  #told(key: string, { value, variation, reason, errorKind }: Detail, context: Loose): Resolution {
    const version = own(read(this._client._served?.flags ?? {}, key), "version");
    const more = typeof version === "number" ? { flagMetadata: { flagVersion: version } } : {};
    if (errorKind === undefined) return { value, reason, ...(variation !== null && { variant: String(variation) }), ...more };
    const [errorCode, errorMessage] = FAILURES[errorKind] ?? FAULT;
    const lacksKey = errorKind === "INVALID_CONTEXT" && context["kind"] !== "multi" && own(context, "key") === undefined;
    return { value, reason, errorCode: lacksKey ? "TARGETING_KEY_MISSING" : errorCode, errorMessage, ...more };
  }

  #turned(state: State | undefined): void {
    if (state === "reached" || state === undefined) return this.#well();
    this.#isUnwell = state === "lost";
    if (state === "lost") this.#events.emit("PROVIDER_STALE", { message: "the service cannot be reached" });
    else this.#events.emit("PROVIDER_ERROR", REFUSED);
  }

  /** There is another snapshot, or another context. */
  #changed(): void {
    const before = this.#version;
    this.#version = this._client.version;
    this.#well();
    if (before !== null && before !== this.#version) this.#events.emit("PROVIDER_CONFIGURATION_CHANGED");
  }

  #well(): void {
    if (!this.#isUnwell || !this._client._served) return;
    this.#isUnwell = false;
    this.#events.emit("PROVIDER_READY");
  }
}

/** A context of OpenFeature in the words of the engine: the key by its name, moments as text. */
export function inOurWords(given: object): Loose {
  const context = plain(given) as Record<string, unknown>;
  if (context["kind"] !== "multi") return keyed(context);
  delete context["targetingKey"];
  return Object.fromEntries(Object.entries(context).map(([kind, part]) => [kind, isObject(part) ? keyed(part) : part]));
}

function keyed({ targetingKey, ...others }: Loose): Loose {
  return targetingKey === undefined || targetingKey === null ? others : { ...others, key: targetingKey };
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) : value;
}
