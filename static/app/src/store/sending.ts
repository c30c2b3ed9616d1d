/** What is sent from a form or by a button, and answered there. */
import type { In, Name } from "@kbwork/client";
import { away, server } from "./server.ts";
import { Wish } from "./wish.ts";
import { t } from "../ui/texts.ts";

/** One thing that is asked of the server, again where it did not answer. */
export class Sending {
  private readonly wish = new Wish();

  /** Answers what the server said, with the number of the last event of it, or why it did not go. */
  async send<K extends Name>(op: K, input: In<K>) {
    try {
      const { data, seq } = await server.ask(op, input, this.wish);
      return { data, seq };
    } catch (error) {
      this.wish.refused(error);
      return { wrong: away(error) ? t.noAnswer : (error as Error).message };
    }
  }
}
