/** What is done about approvals, which is not taken back: what was asked and said stands. */
import type { In, Name } from "@kbwork/client";
import { away, server } from "../store/server.ts";
import { Wish } from "../store/wish.ts";
import { t } from "../ui/texts.ts";

/** One thing that is asked of the server, again where it did not answer. */
export class Sending {
  private readonly wish = new Wish();

  /** Answers what the server said, or why it did not go. */
  async send<K extends Name>(op: K, input: In<K>) {
    try {
      return { data: (await server.ask(op, input, this.wish)).data };
    } catch (error) {
      this.wish.refused(error);
      return { wrong: away(error) ? t.noAnswer : (error as Error).message };
    }
  }
}
