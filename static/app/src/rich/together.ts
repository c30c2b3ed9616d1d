/**
 * A page that several write at once: one document of Yjs with one text, its draft as Markdown. What is written here waits
 * until the server has it, however long that takes; what others wrote comes in letter by letter.
 */
import { type PageSyncState, Problem } from "@kbwork/client";
import * as Y from "yjs";
import { server } from "../store/server.ts";
import { changesOf } from "./difference.ts";

/** What was written and is not on the server, as it is kept on this machine. */
export interface Unsent {
  readonly clock: number;
  readonly update: string;
}

/** Others made something else of the page than what this was made of, and both changed the same place. */
export class Torn extends Error {
  readonly theirs: string;

  constructor(theirs: string) {
    super(theirs);
    this.theirs = theirs;
  }
}

type Merge = (base: string, theirs: string, mine: string) => string | undefined;

const THEIRS = "theirs";
/** Whoever writes sees at once that the server does not answer, and asks again later. */
const AT_ONCE = { retries: 0 };
/** An update in which nothing is. */
const NOTHING = "AAA=";
/** So many updates wait before they become one. */
const MOST_WAITING = 50;

export class Together {
  readonly #id: string;
  readonly #merge: Merge;
  #doc = new Y.Doc();
  /** Up to which the document has what is on the server. */
  #clock = 0;
  /** What was pushed from here. */
  #own = 0;
  #waiting: Uint8Array[] = [];
  /** What is on its way. */
  #sent: Uint8Array | undefined;
  /** The text as it was when all of it was on the server. */
  #base = "";
  /** Whether what was written here before is in it. */
  wentOn = false;

  private constructor(id: string, merge: Merge) {
    this.#id = id;
    this.#merge = merge;
  }

  /** Begin with what is on the server, and with what was written here before, where that still fits. */
  static async begin(id: string, merge: Merge, unsent?: Unsent): Promise<Together> {
    const made = new Together(id, merge);
    made.#take(await server.pages.sync_pull({ id }, AT_ONCE));
    if (unsent) made.#goOn(unsent);
    return made;
  }

  get text(): string {
    return this.#body.toString();
  }

  /** Whether something is not on the server. */
  get waits(): boolean {
    return this.#sent !== undefined || this.#waiting.length > 0;
  }

  get unsent(): Unsent | undefined {
    return this.waits ? { clock: this.#clock, update: toBase64(this.#packed()) } : undefined;
  }

  /** Whether there is something to get, as somebody says who pushed. */
  isBehind(clock: number): boolean {
    return clock > this.#clock && clock > this.#own;
  }

  /** The text as it is now. Of what stays nothing is written anew: others may be writing there. */
  write(text: string): void {
    const changes = changesOf(this.text, text);
    this.#doc.transact(() => {
      for (const { from, to, text: put } of changes.toReversed()) {
        if (to > from) this.#body.delete(from, to - from);
        if (put) this.#body.insert(from, put);
      }
    });
  }

  /** Send what waits, and get what others wrote. Raises Torn; the document is that of the others then. */
  async meet(wantsAll: boolean): Promise<void> {
    try {
      await this.#exchange(wantsAll);
    } catch (error) {
      if (!isStale(error)) throw error;
      await this.#meetAnew();
    }
    if (!this.waits) this.#base = this.text;
  }

  async #exchange(wantsAll: boolean): Promise<void> {
    let pulls = wantsAll;
    if (this.waits) pulls = !(await this.#push()) || pulls;
    if (!pulls) return;
    try {
      await this.#pull();
    } catch (error) {
      if (!isStale(error)) throw error;
      // The page was changed by another road before anybody wrote so: the document begins with this push.
      await server.pages.sync_push({ id: this.#id, update: NOTHING, clock: this.#clock }, AT_ONCE);
      await this.#pull();
    }
  }

  /** Answers whether nobody else wrote meanwhile. */
  async #push(): Promise<boolean> {
    const text = this.text;
    const sent = (this.#sent = this.#packed());
    this.#waiting = [];
    try {
      const { clock } = await server.pages.sync_push({ id: this.#id, update: toBase64(sent), clock: this.#clock }, AT_ONCE);
      this.#own = clock;
      this.#base = text;
      const isNext = clock === this.#clock + 1;
      if (isNext) this.#clock = clock;
      return isNext;
    } catch (error) {
      this.#waiting.unshift(sent);
      throw error;
    } finally {
      this.#sent = undefined;
    }
  }

  async #pull(): Promise<void> {
    const { state, clock } = await server.pages.sync_pull({ id: this.#id, since: this.#clock }, AT_ONCE);
    Y.applyUpdate(this.#doc, fromBase64(state), THEIRS);
    this.#clock = clock;
  }

  /** The document on the server is another one: what was written here goes into that. */
  async #meetAnew(): Promise<void> {
    const got = await server.pages.sync_pull({ id: this.#id }, AT_ONCE);
    const [base, mine] = [this.#base, this.text];
    this.#take(got);
    const both = this.#merge(base, this.text, mine);
    if (both === undefined) throw new Torn(this.text);
    this.write(both);
    if (this.waits) await this.#push();
  }

  #take({ state, clock }: PageSyncState): void {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, fromBase64(state), THEIRS);
    doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === THEIRS) return;
      this.#waiting.push(update);
      if (this.#waiting.length > MOST_WAITING) this.#waiting = [Y.mergeUpdates(this.#waiting)];
    });
    this.#doc.destroy();
    this.#doc = doc;
    this.#clock = clock;
    this.#waiting = [];
    this.#base = this.text;
  }

  /** Where it speaks of letters that are nowhere any more it is left: what was written is kept as a text as well. */
  #goOn({ update }: Unsent): void {
    const trial = new Y.Doc();
    Y.applyUpdate(trial, Y.encodeStateAsUpdate(this.#doc));
    Y.applyUpdate(trial, fromBase64(update));
    if (trial.store.pendingStructs ?? trial.store.pendingDs) return;
    Y.applyUpdate(this.#doc, fromBase64(update));
    // Also where the server has it already: whether it does was not heard.
    if (!this.waits) this.#waiting.push(fromBase64(update));
    this.wentOn = true;
  }

  get #body(): Y.Text {
    return this.#doc.getText("body");
  }

  #packed(): Uint8Array {
    return Y.mergeUpdates(this.#sent ? [this.#sent, ...this.#waiting] : this.#waiting);
  }
}

function isStale(error: unknown): boolean {
  return error instanceof Problem && error.slug === "stale";
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}
