/** The last snapshot on disk, as it came: sealed for a server key. One file, which only its owner may read. */
import type { Cache } from "./follower.ts";

interface File {
  writeFile(content: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Files {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string, flags: string, mode: number): Promise<File>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Programs without a disk never come here: the module is asked for when a path is. */
const files = (): Promise<Files> => import("node:fs/promises" as string);

let parts = 0;

export class DiskCache implements Cache {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async _read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await (await files()).readFile(this.#path);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Replaced whole: whoever reads meets the one or the other. */
  async _write(content: Uint8Array): Promise<void> {
    const { open, rename, rm } = await files();
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
    } finally {
      await rm(part, { force: true });
    }
  }
}
