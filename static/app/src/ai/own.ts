/** Asking a model by one's own key, from this browser: what it is told is what the server would tell it. */
import type { AIContext } from "@kbwork/client";
import type { Answer, Question } from "./question.ts";
import { ownKey, type Way } from "../store/models.ts";
import { words } from "./texts.ts";

/** Its answer. Throws an Error that says why there is none, or what `signal` was aborted for. */
export async function askHere({ provider }: Way, model: string, { system, prompt }: AIContext, signal: AbortSignal): Promise<string> {
  const { kind, base_url, label } = provider;
  const answer = await put({ kind, base_url, key: ownKey(provider), model, system, prompt }, signal);
  if ("text" in answer) return answer.text;
  throw new Error(answer.why === "refused" ? words.refusedBy(label, answer.status, answer.said) : words.whyNot[answer.why](label));
}

/** To a worker of its own each time, so that it knows what it may reach as that is now. */
function put(question: Question, signal: AbortSignal): Promise<Answer> {
  const worker = new Worker("/asker.js");
  return new Promise<Answer>((tell, fail) => {
    worker.addEventListener("message", (event: MessageEvent<Answer>) => tell(event.data));
    worker.addEventListener("error", () => tell({ why: "unreached" }));
    signal.addEventListener("abort", () => fail(signal.reason));
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}
