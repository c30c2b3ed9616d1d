/** A client for tests: flags as they are told, without a network. */
import type { TestOptions } from "../../types/testing.d.ts";
import { Context } from "../engine/contexts.ts";
import { PLAIN } from "../engine/operators.ts";
import { Answers } from "./answers.ts";

export type { TestOptions } from "../../types/testing.d.ts";

const SOMEBODY = new Context({ key: "test" });

export class TestClient extends Answers {
  readonly #values: Map<string, unknown>;
  readonly status = { connected: true, ageMs: 0, lastError: null };

  constructor({ flags = {} }: TestOptions = {}) {
    super(console, PLAIN);
    this.#values = new Map(Object.entries(flags));
    this.#put();
  }

  /** Serve this value from now on; undefined takes the flag away. Those who listen are told. */
  set(key: string, value: unknown): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    this.#put();
    this._notify();
  }

  track(): void {}

  async identify(): Promise<void> {
    this._notify();
  }

  async ready(): Promise<boolean> {
    return true;
  }

  async flush(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {}

  override _asked(): unknown {
    return SOMEBODY;
  }

  #put(): void {
    const flags = Object.fromEntries(
      [...this.#values].map(([key, value]) => [key, { on: true, fallthrough: { variation: 0 }, variations: [{ value }] }]),
    );
    this._serve({ flags }, (this.version ?? 0) + 1);
  }
}

export const testClient = (options?: TestOptions): TestClient => new TestClient(options);
