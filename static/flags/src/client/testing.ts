/** A client for tests: flags as they are told, without a network. */
import { Context } from "../engine/contexts.ts";
import type { Detail, Wanted } from "../engine/details.ts";
import { Answers } from "./answers.ts";

export interface TestOptions {
  flags?: Readonly<Record<string, unknown>>;
}

const SOMEBODY = new Context({ key: "test" });

export class TestClient extends Answers {
  readonly #values: Map<string, unknown>;
  readonly status = { connected: true, ageMs: 0, lastError: null };

  constructor({ flags = {} }: TestOptions = {}) {
    super(console);
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

  boolean(key: string, fallback: boolean): boolean {
    return this.#answer(key, fallback, "boolean").value as boolean;
  }

  string(key: string, fallback: string): string {
    return this.#answer(key, fallback, "string").value as string;
  }

  number(key: string, fallback: number): number {
    return this.#answer(key, fallback, "number").value as number;
  }

  json(key: string, fallback: unknown): unknown {
    return this.#answer(key, fallback, "any").value;
  }

  booleanDetail(key: string, fallback: boolean): Detail {
    return this.#answer(key, fallback, "boolean");
  }

  stringDetail(key: string, fallback: string): Detail {
    return this.#answer(key, fallback, "string");
  }

  numberDetail(key: string, fallback: number): Detail {
    return this.#answer(key, fallback, "number");
  }

  jsonDetail(key: string, fallback: unknown): Detail {
    return this.#answer(key, fallback, "any");
  }

  watch(key: string, heard: (detail: Detail) => void): () => void {
    let before = JSON.stringify(this.json(key, null));
    return this.subscribe(() => {
      const now = this.jsonDetail(key, null);
      const isSame = JSON.stringify(now.value) === before;
      before = JSON.stringify(now.value);
      if (!isSame) heard(now);
    });
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

  #answer(key: string, fallback: unknown, wanted: Wanted): Detail {
    return this._detail(key, fallback, SOMEBODY, wanted);
  }

  #put(): void {
    const flags = Object.fromEntries(
      [...this.#values].map(([key, value]) => [key, { on: true, fallthrough: { variation: 0 }, variations: [{ value }] }]),
    );
    this._serve({ flags }, (this.version ?? 0) + 1);
  }
}

export const testClient = (options?: TestOptions): TestClient => new TestClient(options);
