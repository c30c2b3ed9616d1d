/** What nobody asked for goes into the trash; who may bring it back from there is offered that. */
import type { IssueRequest } from "@kbwork/client";
import type { Issue } from "../store/kinds.ts";
import { away, random, server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import { go, here, peek } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { w } from "./texts.ts";

export async function markSpam({ id, key, project }: Issue, { customer }: IssueRequest, block: boolean): Promise<void> {
  try {
    await server.ask("desk.spam", { key, block }, { idempotencyKey: random() });
    if (here.peek().name === "issue") go(`/requests/${project}`);
    else peek(null);
    const { items } = await server.trash.list({ kind: "issue" }); // of those that one may bring back, the latest first
    const entry = items.find(({ subject }) => subject === `issue:${id}`);
    say(block ? w.isBlocked(key) : w.isSpam(key), entry && { title: w.back, run: () => void takeBack(entry.id, key, block ? customer : null) });
  } catch (error) {
    say(whyNot(error));
  }
}

/** Admins alone let somebody in again. */
async function takeBack(entry: number, key: string, customer: number | null): Promise<void> {
  try {
    const { failed: [failed] } = await server.trash.restore({ ids: [entry] });
    if (failed) return say(failed.reason);
    if (customer !== null && may("admin")) await server.desk.customer_block({ id: customer, blocked: false });
    say(w.cameBack(key));
  } catch (error) {
    say(whyNot(error));
  }
}

const whyNot = (error: unknown): string => (away(error) ? t.noAnswer : (error as Error).message);
