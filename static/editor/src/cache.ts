/** What was asked lately, by name: so many at most, each for a while, and once where several ask at a time. */
export class Cache<T> {
  readonly #kept = new Map<string, { readonly until: number; readonly value: Promise<T> }>();
  readonly #most: number;
  readonly #lifetimeMs: number;

  constructor(most: number, lifetimeMs: number) {
    this.#most = most;
    this.#lifetimeMs = lifetimeMs;
  }

  /** What failed is asked again next time. */
  get(name: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(name);
    if (kept && kept.until > Date.now()) return kept.value;
    const made = { until: Date.now() + this.#lifetimeMs, value: make() };
    this.#kept.delete(name);
    this.#kept.set(name, made);
    made.value.catch(() => {
      if (this.#kept.get(name) === made) this.#kept.delete(name);
    });
    // A map keeps the order in which names came: the first is the oldest.
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    return made.value;
  }

  clear(): void {
    this.#kept.clear();
  }
}
