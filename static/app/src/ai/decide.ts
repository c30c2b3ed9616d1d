/** Applying a proposal, or dismissing it: what was refused is said. */
import type { AIProposal } from "@kbwork/client";
import { remember, undoable } from "../store/changes.ts";
import { Sending } from "../store/sending.ts";
import { server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { words } from "./texts.ts";

const LATEST = 5;

export async function decide(sending: Sending, { id, op }: AIProposal, key: string, apply: boolean): Promise<void> {
  const { data, wrong } = await undoable(async () => {
    const answer = await sending.send(apply ? "ai.proposal_apply" : "ai.proposal_dismiss", { id });
    if (answer.data && answer.data.state === "applied") await canBeTakenBack(op, words.applied(key), answer.seq);
    return answer;
  });
  if (!data) return say(wrong ?? "");
  say(data.state === "failed" ? words.failed(data.error ?? "") : apply ? words.applied(key) : words.dismissed(key));
}

/** By a key, like what one did oneself: the change is what the proposal ran, which was told before that it was applied. */
async function canBeTakenBack(op: string, title: string, seq: number): Promise<void> {
  const found = await server.undo.list({ limit: LATEST }).catch(() => []);
  const ran = found.find((one) => one.op === op && one.seq <= seq && one.can);
  if (ran) remember(title, ran.seq);
}
