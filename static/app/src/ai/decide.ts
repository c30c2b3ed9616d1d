/** Applying a proposal, or dismissing it. */
import type { AIProposal } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { away, server } from "../store/server.ts";
import { Wish } from "../store/wish.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";

const LATEST = 5;

/** Until it was told: sent twice, it is done once. What was refused is said. */
export class Decision {
  private readonly wish = new Wish();

  async send({ id, op }: AIProposal, key: string, apply: boolean): Promise<void> {
    try {
      const { data, seq } = await server.ask(apply ? "ai.proposal_apply" : "ai.proposal_dismiss", { id }, this.wish);
      if (data?.state === "applied") await canBeTakenBack(op, words.applied(key), seq);
      say(data?.state === "failed" ? words.failed(data.error ?? "") : apply ? words.applied(key) : words.dismissed(key));
    } catch (error) {
      this.wish.refused(error);
      say(away(error) ? t.noAnswer : (error as Error).message);
    }
  }
}

/** By a key, like what one did oneself: the change is what the proposal ran, which was told before that it was applied. */
async function canBeTakenBack(op: string, title: string, seq: number): Promise<void> {
  const found = await server.undo.list({ limit: LATEST }).catch(() => []);
  const ran = found.find((one) => one.op === op && one.seq <= seq && one.can);
  if (ran) remember(title, ran.seq);
}
