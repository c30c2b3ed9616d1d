/** What nobody asked for goes into the trash, and comes back from there. */
import type { IssueRequest } from "@kbwork/client";
import type { Issue } from "../store/kinds.ts";
import { away, random, server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { w } from "./texts.ts";

export async function markSpam({ id, key }: Issue, { customer }: IssueRequest, block: boolean): Promise<void> {
  if (!(await went(() => server.ask("desk.spam", { key, block }, { idempotencyKey: random() })))) return;
  say(block ? w.isBlocked(key) : w.isSpam(key), { title: w.back, run: () => void takeBack(id, key, block ? customer : null) });
}

/** Admins alone let somebody in again; others bring the request back. */
async function takeBack(id: number, key: string, customer: number | null): Promise<void> {
  const back = await went(async () => {
    const entry = (await server.trash.list({ kind: "issue" })).items.find(({ subject }) => subject === `issue:${id}`);
    if (entry) await server.trash.restore({ ids: [entry.id] });
    if (customer !== null && may("admin")) await server.desk.customer_block({ id: customer, blocked: false });
  });
  if (back) say(w.cameBack(key));
}

async function went(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    say(away(error) ? t.noAnswer : (error as Error).message);
    return false;
  }
}
