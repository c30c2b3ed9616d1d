/** What the editor asks again and again, kept for a while: issues, projects, people and flags by their keys. */
import type { Flag, FlagRevision, Issue } from "@kbwork/client";
import { Problem } from "@kbwork/client";
import { Cache } from "./cache.ts";
import type { Connection } from "./connection.ts";

/** A key of an issue, as it stands in code. */
export const KEY = /(?<![\w-])[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,12}(?![\w-]*\w)/;

const MINUTE_MS = 60_000;
/** So many environments of a flag are asked for their last change. */
const MOST_ENVIRONMENTS = 8;

export interface LastChange extends FlagRevision {
  readonly environment: string | undefined;
}

export class Facts {
  readonly #connection: Connection;
  readonly #issues = new Cache<Issue | undefined>(200, MINUTE_MS);
  readonly #people = new Cache<string>(200, 30 * MINUTE_MS);
  readonly #projects = new Cache<ReadonlySet<string>>(1, 5 * MINUTE_MS);
  readonly #flags = new Cache<ReadonlyMap<string, Flag>>(5, MINUTE_MS);
  readonly #changes = new Cache<LastChange | undefined>(100, MINUTE_MS);

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Undefined: there is none that the person sees. Words that only look like a key are not asked for. */
  async issue(key: string): Promise<Issue | undefined> {
    const projects = await this.#projectKeys();
    if (!projects.has(key.slice(0, key.lastIndexOf("-")))) return undefined;
    return this.#issues.get(key, () => this.#connection.ask((kb) => orNothing(kb.issues.get({ key }))));
  }

  /** What people are called; who cannot be looked up is called by the id. */
  async names(ids: readonly string[]): Promise<string[]> {
    return Promise.all(ids.slice(0, 10).map((id) => this.#name(id)));
  }

  /** The flags of a project by their keys. */
  flags(project: string): Promise<ReadonlyMap<string, Flag>> {
    return this.#flags.get(project, async () => {
      const found = await this.#connection.ask((kb) => kb.flags.list({ project }));
      return new Map(found.map((flag) => [flag.key, flag]));
    });
  }

  /** The latest change of a flag, of itself or somewhere. */
  lastChange({ project, key, version, environments }: Flag): Promise<LastChange | undefined> {
    const somewhere = Object.keys(environments).slice(0, MOST_ENVIRONMENTS);
    const versions = somewhere.map((environment) => environments[environment]!.version);
    return this.#changes.get([project, key, version, ...versions].join(" "), async () => {
      const found = await this.#connection.ask((kb) =>
        Promise.all(
          [undefined, ...somewhere].map(async (environment) => {
            const [latest] = await kb.flags.history({ project, key, ...(environment ? { environment } : {}) });
            return latest && { ...latest, environment };
          }),
        ),
      );
      return found.filter((one) => one !== undefined).sort((one, other) => other.at - one.at)[0];
    });
  }

  /** Some issue changed: which one costs more to know than to ask again for what is looked at. */
  forgetIssues(): void {
    this.#issues.clear();
  }

  clear(): void {
    for (const cache of [this.#issues, this.#people, this.#projects, this.#flags, this.#changes]) cache.clear();
  }

  #projectKeys(): Promise<ReadonlySet<string>> {
    return this.#projects.get("", async () => {
      const found = await this.#connection.ask((kb) => kb.projects.list());
      return new Set(found.flatMap(({ key, former_keys }) => [key, ...former_keys]));
    });
  }

  #name(id: string): Promise<string> {
    if (id.startsWith("agent:")) return Promise.resolve(id.slice("agent:".length));
    return this.#people.get(id, async () => (await this.#connection.ask((kb) => orNothing(kb.members.get({ id }))))?.name ?? id);
  }
}

/** Undefined where there is no such thing, or none that is seen. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Problem && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
