/** What is done about approvals, which is not taken back: what was asked and said stands. */
import type { In, Name } from "@kbwork/client";
import { away, random, server } from "../store/server.ts";
import { t } from "../ui/texts.ts";

/** Names one thing that is wanted: sent twice, it is done once; what is mended after a refusal is another. */
export class Sending {
  private name = random();

  /** Answers what the server said, or why it did not go. */
  async send<K extends Name>(op: K, input: In<K>) {
    try {
      return { data: (await server.ask(op, input, { idempotencyKey: this.name })).data };
    } catch (error) {
      if (away(error)) return { wrong: t.noAnswer };
      this.name = random();
      return { wrong: (error as Error).message };
    }
  }
}
