/**
 * The last snapshot on disk, and in a file beside it what changed since, as they came: sealed for a server key. Only their
 * owner may read them.
 */
import type { Cache } from "./follower.ts";

interface File {
  writeFile(content: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Files {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  appendFile(path: string, content: Uint8Array, options: { mode: number }): Promise<void>;
  open(path: string, flags: string, mode: number): Promise<File>;
  rename(from: string, to: string): Promise<void>;
  truncate(path: string, length: number): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Programs without a disk never come here: the module is asked for when a path is. */
const files = (): Promise<Files> => import("node:fs/promises" as string);

const LENGTH_BYTES = 4;

let parts = 0;

class DiskCache implements Cache {
  readonly #path: string;
  readonly #beside: string;

  constructor(path: string) {
    this.#path = path;
    this.#beside = `${path}.changes`;
  }

  async _read(): Promise<Uint8Array<ArrayBuffer>[]> {
    const found = await this.#content(this.#path);
    if (!found) return [];
    const all = [found];
    const rest = await this.#content(this.#beside);
    for (let at = 0; rest && at < rest.length; ) {
      const begins = at + LENGTH_BYTES;
      const ends = begins + (begins <= rest.length ? new DataView(rest.buffer, rest.byteOffset).getUint32(at) : 0);
      if (ends > rest.length) {
        // It was cut off: behind it nothing more would be found.
        await (await files()).truncate(this.#beside, at);
        break;
      }
      all.push(rest.subarray(begins, ends));
      at = ends;
    }
    return all;
  }

  async #content(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await (await files()).readFile(path);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Replaced whole: whoever reads meets the one or the other. */
  async _write(content: Uint8Array, isDelta: boolean): Promise<void> {
    const { appendFile, open, rename, rm } = await files();
    if (isDelta) {
      const piece = new Uint8Array(LENGTH_BYTES + content.length);
      new DataView(piece.buffer).setUint32(0, content.length);
      piece.set(content, LENGTH_BYTES);
      return appendFile(this.#beside, piece, { mode: 0o600 });
    }
    const part = `${this.#path}.${Date.now()}-${Math.random().toString(36).slice(2)}-${parts++}.part`;
    try {
      const file = await open(part, "wx", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, this.#path);
      await rm(this.#beside, { force: true });
    } finally {
      await rm(part, { force: true });
    }
  }
}

export const onDisk = (path: string): Cache => new DiskCache(path);
