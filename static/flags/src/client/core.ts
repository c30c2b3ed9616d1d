/** What clients of both sorts are made of: answers, the service that they follow, and what is told to it. */
import type { Status } from "../../types/client.d.ts";
import type { Operators } from "../engine/operators.ts";
import type { Loose } from "../engine/values.ts";
import { Answers } from "./answers.ts";
import { Follower, type Keeps, type Opens } from "./follower.ts";
import type { Settings } from "./options.ts";
import { within } from "./waiting.ts";
import { Wire } from "./wire.ts";

const FLUSH_MS = 10_000;

/** How it stands with the service: it answers, it does not, or it has refused the key for good. */
export type State = "reached" | "lost" | "refused";

export class Core extends Answers {
  readonly _wire: Wire;
  readonly _follower: Follower;
  _state: State | undefined;
  /** Told of each new state. */
  _turned: ((state: State) => void) | undefined;
  /** Until what tells of answers is there. */
  _recording: Promise<void> = Promise.resolve();
  readonly #initTimeoutMs: number;
  readonly #settled: Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(settings: Settings, operators: Operators, open: Opens, cache: Keeps) {
    super(settings.log, operators);
    const wire = (this._wire = new Wire(settings));
    this.#initTimeoutMs = settings.initTimeoutMs;
    let settled!: () => void;
    this.#settled = new Promise((resolve) => (settled = resolve));
    const refused = (): void => {
      settled();
      this._early = undefined;
      this._recorder?._refuse();
      this.#turn("refused");
    };
    const reached = (isSo: boolean): void => this.#turn(isSo ? "reached" : "lost");
    const changed = (data: Loose, version: number): void | Promise<void> => this._change(data, version);
    this._follower = new Follower(wire, settings, open, cache, { changed, settled, refused, reached });
  }

  get status(): Status {
    return this._follower._status;
  }

  async ready(timeoutMs = this.#initTimeoutMs): Promise<boolean> {
    await within(this.#settled, timeoutMs);
    return this._served !== undefined;
  }

  async flush(timeoutMs = FLUSH_MS): Promise<boolean> {
    const ends = performance.now() + timeoutMs;
    await within(this._recording, timeoutMs);
    return this._recorder?._flush(ends - performance.now()) ?? !this._early?.length;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#end());
  }

  async #end(): Promise<void> {
    this._follower._close();
    await within(this._recording, FLUSH_MS);
    this._early = undefined;
    await this._recorder?._close();
  }

  #turn(state: State): void {
    if (state === this._state) return;
    this._state = state;
    this._turned?.(state);
  }

  _change(data: Loose, version: number): void | Promise<void> {
    this._serve(data, version);
    this._notify();
  }
}
