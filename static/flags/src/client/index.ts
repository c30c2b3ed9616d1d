/** The client for programs that answer for many: a context with each call, by a server key. */
import type { ServerOptions } from "../../types/index.d.ts";
import { OPERATORS } from "../engine/further.ts";
import { Core } from "./core.ts";
import { opened } from "./envelope.ts";
import { settings } from "./options.ts";
import { outlined } from "./outline.ts";
import { Recorder } from "./recorder.ts";

export { Context } from "../engine/contexts.ts";
export type { Detail, ErrorKind, Reason } from "../engine/details.ts";
export type { ServerOptions } from "../../types/index.d.ts";

export class Client extends Core {
  constructor(options: ServerOptions) {
    const found = settings(options as ServerOptions & Record<string, unknown>, "sdkKey");
    const { cachePath, previousSdkKey } = options;
    const cache = cachePath === undefined ? undefined : import("./cache.ts").then(({ onDisk }) => onDisk(cachePath));
    super(
      found,
      OPERATORS,
      async (sealed) => {
        const { version, content } = await opened(sealed, found.credential).catch((error) => {
          if (previousSdkKey === undefined) throw error;
          return opened(sealed, previousSdkKey); // what the disk keeps may be sealed for that one still
        });
        return { version, data: outlined(content) };
      },
      cache,
    );
    if (found.sendEvents) this._recorder = new Recorder(this._wire, found);
    void this._follower._start();
  }

  /** Tell of something that happened. The service takes it and does not keep it. */
  track(name: string, context: unknown, data: unknown = null): void {
    this._tell("track", context, { name, data });
  }

  /** Tell of a context. The service takes it and does not keep it. */
  identify(context: unknown): void {
    this._tell("identify", context);
  }
}

export const createClient = (options: ServerOptions): Client => new Client(options);
