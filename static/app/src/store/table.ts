/** The things of one kind: what the server told, and over it what was changed here and is not confirmed yet. */
import { batch, signal, type Signal } from "@preact/signals";
import type { Id } from "./kinds.ts";

export class Table<T extends object> {
  /** Moves with any of them: whoever shows many, sorted or counted, reads it. */
  readonly moved = signal(0);
  readonly #told = new Map<Id, T>();
  readonly #over = new Map<Id, Partial<T>>();
  /** Those that are changed here, as they are shown; all others are as the server told them. */
  readonly #laid = new Map<Id, T>();
  /** One for each that is on the screen, and no longer than it is. */
  readonly #watched = new Map<Id, Signal<T | undefined>>();

  get size(): number {
    return this.#told.size;
  }

  /** As it is now. */
  get(id: Id): T | undefined {
    return this.#laid.get(id) ?? this.#told.get(id);
  }

  /** As it is now and whenever it becomes something else: for what is drawn. */
  watch(id: Id): T | undefined {
    let found = this.#watched.get(id);
    if (!found) {
      found = signal(this.get(id), { unwatched: () => this.#watched.delete(id) });
      this.#watched.set(id, found);
    }
    return found.value;
  }

  /** All of them as they are now, and whenever one becomes something else. */
  all(): T[] {
    void this.moved.value;
    if (!this.#laid.size) return [...this.#told.values()];
    return Array.from(this.#told, ([id, told]) => this.#laid.get(id) ?? told);
  }

  /** What the server told of one last: another object each time that it told of it, whatever that was about. */
  toldOf(id: Id): T | undefined {
    return this.#told.get(id);
  }

  /** What the server told, without what was changed here. */
  told(): IterableIterator<T> {
    return this.#told.values();
  }

  put(things: Iterable<readonly [Id, T]>): void {
    batch(() => {
      for (const [id, thing] of things) {
        this.#told.set(id, thing);
        this.#show(id);
      }
      this.moved.value++;
    });
  }

  /** These are all that there are. */
  replace(things: ReadonlyMap<Id, T>): void {
    batch(() => {
      this.drop([...this.#told.keys()].filter((id) => !things.has(id)));
      this.put(things);
    });
  }

  drop(ids: Iterable<Id>): void {
    batch(() => {
      for (const id of ids) {
        this.#told.delete(id);
        this.#show(id);
      }
      this.moved.value++;
    });
  }

  /** What was changed here of one, in place of what was said of it before; nothing: as the server told it. */
  lay(id: Id, over: Partial<T> | undefined): void {
    batch(() => {
      if (over) this.#over.set(id, over);
      else this.#over.delete(id);
      this.#show(id);
      this.moved.value++;
    });
  }

  /** What was changed here of one, besides what was said of it before. */
  layMore(id: Id, over: Partial<T>): void {
    this.lay(id, { ...this.#over.get(id), ...over });
  }

  #show(id: Id): void {
    const over = this.#over.get(id);
    const told = over && this.#told.get(id);
    if (told) this.#laid.set(id, { ...told, ...over });
    else this.#laid.delete(id);
    const watched = this.#watched.get(id);
    if (watched) watched.value = this.get(id);
  }
}
