/** What models propose about one's own issues: nobody decided it, and it is decided on the issue. */
import type { AIProposal } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { inboxMoved } from "../store/inbox.ts";
import { server } from "../store/server.ts";
import { may, myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { words } from "./texts.ts";

const MOST = 5;
/** What changes together is asked for once. */
const CALM_MS = 400;

export function Proposed() {
  const [found, setFound] = useState<readonly AIProposal[]>([]);
  const moved = inboxMoved.value + tables.issue.moved.value;
  useEffect(() => {
    if (!may("ai:read")) return;
    const timer = setTimeout(() => void server.ai.proposals({}).then(setFound, () => undefined), CALM_MS); // the inbox is there without them
    return () => clearTimeout(timer);
  }, [moved]);
  const counts = new Map<number, number>();
  for (const { subject } of found) {
    const [kind, id] = subject.split(":");
    if (kind === "issue") counts.set(Number(id), (counts.get(Number(id)) ?? 0) + 1);
  }
  const issues = [...counts.keys()].flatMap((id) => tables.issue.watch(id) ?? []).filter(({ assignees, reporter }) => assignees.includes(myId.value) || (!assignees.length && reporter === myId.value));
  if (!issues.length) return null;
  return (
    <section class="proposed-here" aria-label={words.proposed}>
      <h2>{words.proposed}</h2>
      <ul>
        {issues.slice(0, MOST).map(({ id, key, title }) => (
          <li class="bar" key={id}>
            <span class="key meta">{key}</span>
            <a class="grow cut" data-in dir="auto" href={`/issues/${key}`}>{title}</a>
            <span class="meta">{words.toDecide(counts.get(id)!)}</span>
          </li>
        ))}
      </ul>
      {issues.length > MOST && <p class="meta">{words.proposedMore(issues.length - MOST)}</p>}
    </section>
  );
}
