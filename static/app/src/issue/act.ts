/** What is done at once and shown when the server did it: a refusal is said, and what was done can be taken back. */
import type { In, Name } from "@kbwork/client";
import { remember, undoable } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";

/** Answers what the server said; undefined: it did not go, which was said. */
export async function act<K extends Name>(title: string, op: K, input: In<K>, idempotencyKey = random()) {
  try {
    return await undoable(async () => {
      const reply = await server.ask(op, input, { idempotencyKey });
      remember(title, reply.seq);
      return reply.data;
    });
  } catch (error) {
    say(away(error) ? t.noAnswer : (error as Error).message);
    return undefined;
  }
}
