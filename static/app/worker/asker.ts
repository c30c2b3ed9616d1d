/**
 * Asks a model by a person's own key. It runs apart from the app, since it may reach what the app may not: the addresses
 * of the providers that admins let browsers ask, and nothing else. Keys come with each question and are not kept.
 */
import type { Answer, Question } from "../src/ai/question.ts";

declare const self: DedicatedWorkerGlobalScope;

const MOST_TOKENS = 1024;
const MOST_BYTES = 1024 * 1024;
const PATIENCE_MS = 120_000;
const MOST_SAID = 300;

self.addEventListener("message", (event: MessageEvent<Question>) => void asked(event.data).then((answer) => self.postMessage(answer)));

/** What a format sends, and where the text is in what it answers. */
interface Format {
  readonly path: string;
  readonly headers: (key: string) => Record<string, string>;
  readonly body: (question: Question) => object;
  /** Throws TypeError where something is not there. */
  readonly text: (told: unknown) => unknown;
}

const FORMATS: Record<string, Format> = {
  anthropic: {
    path: "v1/messages",
    headers: (key) => ({ "anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true", ...(key && { "x-api-key": key }) }),
    body: ({ system, prompt }) => ({ system, messages: [{ role: "user", content: prompt }] }),
    text: (told) => (told as { content: { text?: string }[] }).content.map(({ text }) => text ?? "").join(""),
  },
  openai: {
    path: "chat/completions",
    headers: (key): Record<string, string> => (key ? { Authorization: `Bearer ${key}` } : {}),
    body: ({ system, prompt }) => ({ messages: [{ role: "system", content: system }, { role: "user", content: prompt }], stream: false }),
    text: (told) => (told as { choices: { message: { content: unknown } }[] }).choices[0]!.message.content,
  },
};

async function asked(question: Question): Promise<Answer> {
  const format = FORMATS[question.kind];
  if (!format) return { why: "odd" };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(addressOf(question, format), {
      method: "POST",
      headers: { "Content-Type": "application/json", ...format.headers(question.key ?? "") },
      body: JSON.stringify({ model: question.model, max_tokens: MOST_TOKENS, ...format.body(question) }),
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    });
    const told = await bounded(response);
    if (!response.ok) return { why: "refused", status: response.status, said: whyOf(told) };
    const text = textOf(format, told);
    return text === undefined ? { why: "odd" } : { text };
  } catch {
    return { why: signal.aborted ? "slow" : "unreached" };
  }
}

/** As the server asks there: a bare host of chat completions is taken as its first version. */
function addressOf({ kind, base_url }: Question, { path }: Format): string {
  const base = base_url.replace(/\/+$/, "");
  if (kind === "anthropic") return `${base.replace(/\/v1$/, "")}/${path}`;
  return `${base}${/^https?:\/\/[^/]+$/.test(base) ? "/v1" : ""}/${path}`;
}

/** Of a longer answer the beginning, which is then no JSON. */
async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) break;
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

function textOf(format: Format, told: string): string | undefined {
  try {
    const text = format.text(JSON.parse(told));
    return typeof text === "string" && text ? text : undefined;
  } catch {
    return undefined;
  }
}

function whyOf(told: string): string {
  try {
    const { error } = JSON.parse(told) as { error?: { message?: unknown } };
    return String(error?.message ?? "").slice(0, MOST_SAID);
  } catch {
    return "";
  }
}
