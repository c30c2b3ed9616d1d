/** What a call can end with but its answer. */
import type * as told from "../types/index.d.ts";

type Slug = told.Problem["slug"];

export const Problem: typeof told.Problem = class extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly slug: Slug;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly told.ProblemError[];
  readonly retryAfter: number | undefined;
  readonly document: Readonly<Record<string, unknown>>;

  constructor(status: number, document: Record<string, unknown>, retryAfter?: number) {
    const title = String(document["title"] || `HTTP ${status}`);
    const detail = String(document["detail"] || "");
    super(detail ? `${title}: ${detail}` : title);
    this.status = status;
    this.slug = (String(document["type"] || "").split("/problems/")[1] || `http-${status}`) as Slug;
    this.title = title;
    this.detail = detail;
    this.errors = (document["errors"] as told.ProblemError[] | undefined) ?? [];
    this.retryAfter = retryAfter;
    this.document = document;
  }
};

export type Problem = told.Problem;

export const Unreachable: typeof told.Unreachable = class extends Error {
  override readonly name = "Unreachable";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
};

export type Unreachable = told.Unreachable;

/** The problem in a refusal; where something in between answered, what can be told of it. */
export const problemOf = (answer: Response, text: string): told.Problem => {
  // What was asked by HEAD is refused without a word.
  if (!text && answer.status === 404 && isOurs(answer)) text = '{"type":"/problems/not-found"}';
  let document: Record<string, unknown> | undefined;
  try {
    document = JSON.parse(text);
  } catch {
    // The next line says what there is to say.
  }
  if (!document || typeof document !== "object") {
    document = { detail: "This is no answer of kbwork; look at the address and at what stands in between." };
  }
  return new Problem(answer.status, document, retryAfter(answer));
};

/** Whether kbwork refused, and nothing in between. */
export const isOurs = (answer: Response): boolean =>
  answer.headers.get("content-type")?.startsWith("application/problem+json") ?? false;

/** Seconds; it may also be a date. */
const retryAfter = (answer: Response): number | undefined => {
  const asked = answer.headers.get("retry-after");
  if (!asked) return undefined;
  const seconds = +asked;
  const found = seconds >= 0 ? seconds : (Date.parse(asked) - Date.now()) / 1000;
  return found === found ? Math.max(0, found) : undefined;
};
