/** Whose request an issue is: who asked and who takes part, what else they asked for, how they rated it, what goes out later. */
import { type DeskCustomer, type IssueRequest, Problem, type WaitingReply } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { isDone } from "../issues/lanes.ts";
import { nameOf } from "../issues/marks.tsx";
import { remember } from "../store/changes.ts";
import type { Issue } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { exactly, moment, t } from "../ui/texts.ts";
import { People } from "./people.tsx";
import { w } from "./texts.ts";

interface CardProps {
  readonly issue: Issue;
  readonly request: IssueRequest;
  /** Show the issue as it is behind something that was done. */
  readonly onDone: () => Promise<void>;
}

interface Known {
  readonly name: string;
  readonly type: string | null;
  /** Names of who sees it beside whoever asked. */
  readonly others: readonly string[];
  readonly customer: DeskCustomer | undefined;
  readonly requests: readonly { readonly key: string; readonly title: string; readonly status: string }[];
  readonly waiting: readonly WaitingReply[];
  readonly score: number | undefined;
}

const MOST_REQUESTS = 20;

export function RequestCard({ issue, request, onDone }: CardProps) {
  const [known, setKnown] = useState<Known>();
  const [asks, setAsks] = useState(false);
  const [turn, setTurn] = useState(0);
  const told = tables.issue.toldOf(issue.id);
  useEffect(() => {
    let late = false;
    knownOf(issue, request).then((found) => late || setKnown(found), (error: unknown) => away(error) || error instanceof Problem || reportError(error)); // it may be no desk any more
    return () => {
      late = true;
    };
  }, [issue.id, told, turn, offlineSince.value === undefined]);
  if (!known) return null;
  const { name, type, others, customer, requests, waiting, score } = known;
  const done = async (): Promise<void> => {
    setTurn(turn + 1);
    await onDone();
  };
  return (
    <section class="card" aria-label={w.card}>
      <div class="bar">
        <Avatar id={`customer:${request.customer}`} name={name || "?"} />
        <strong dir="auto">{name}</strong>
        {customer && <a class="meta" href={`mailto:${customer.email}`}>{customer.email}</a>}
        {customer?.blocked && <span class="chip">{w.blocked}</span>}
        {customer?.notify === false && <span class="chip">{w.notMailed}</span>}
        <span class="grow" />
        {score !== undefined && <span class="stars" role="img" aria-label={w.rated(score)} title={w.rated(score)}>{"★".repeat(score)}{"☆".repeat(5 - score)}</span>}
        <button type="button" class="plain" onClick={() => setAsks(true)}><Icon of="mine" />{w.people}</button>
      </div>
      <div class="bar meta">
        <span dir="auto">{[type, request.channel && w.came(request.channel)].filter(Boolean).join(", ")}</span>
        {others.length > 0 && <span dir="auto">{w.takesPart}: {others.join(", ")}</span>}
      </div>
      {waiting.map((one) => <Waiting key={one.comment} one={one} issue={issue} onDone={done} />)}
      {requests.length > 0 ? (
        <details>
          <summary class="meta">{w.others(requests.length)}</summary>
          <ul class="lines">
            {requests.map(({ key, title, status }) => (
              <li key={key}><span class="key meta">{key}</span><a class="grow cut" data-in dir="auto" href={`/issues/${key}`}>{title}</a><span class="meta">{status}</span></li>
            ))}
          </ul>
        </details>
      ) : customer && <p class="meta">{w.noOthers}</p>}
      {asks && <People of={issue.key} onClose={() => setAsks(false)} onDone={() => void done()} />}
    </section>
  );
}

/** A reply that goes at its time, or did not. */
function Waiting({ one: { comment, send_at, status, body, author, failed }, issue, onDone }: { one: WaitingReply; issue: Issue; onDone: () => Promise<void> }) {
  const lane = status === null ? undefined : (tables.lane.watch(status)?.name ?? status);
  const takeBack = async (): Promise<void> => {
    try {
      const { seq } = await server.ask("comments.delete", { id: comment });
      remember(w.takenBack, seq);
      say(w.takenBack);
      await onDone();
    } catch (error) {
      say(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  return (
    <div class={failed === null ? "later" : "later failed"} role="group" aria-label={`${w.waiting}: ${issue.key}`}>
      <div class="bar">
        <strong title={exactly(send_at)}>{failed === null ? w.goes(moment(send_at)) : w.failed}</strong>
        <span class="meta grow">{w.by(nameOf(author) ?? author)}{lane && `, ${w.moves(lane)}`}</span>
        <button type="button" class="plain" onClick={() => void takeBack()}>{w.takeBack}</button>
      </div>
      {failed !== null && <p class="late">{failed}</p>}
      <p dir="auto">{body.length > 280 ? `${body.slice(0, 280)}…` : body}</p>
    </div>
  );
}

async function knownOf(issue: Issue, request: IssueRequest): Promise<Known> {
  const [[row], waiting, events] = await Promise.all([
    server.tql.run({ tql: `from requests key = ${issue.key}`, fields: ["customer", "participant", "request_type"] }).then(({ rows }) => rows),
    server.desk.waiting_replies({ project: issue.project, key: issue.key }),
    isDone(issue) ? server.activity.list({ subject: `issue:${issue.key}` }) : [],
  ]);
  const [name, participants, type] = (row ?? [null, [], null]) as [string | null, readonly string[] | null, string | null];
  const customer = name === null ? undefined : (await server.desk.customers({ q: name })).find(({ id }) => id === request.customer);
  const all = customer && customer.requests > 1 ? await server.tql.run({
    tql: `from requests customer = ${JSON.stringify(customer.email)} and key != ${issue.key} order by updated desc`, fields: ["key", "title", "status"], limit: MOST_REQUESTS,
  }) : undefined;
  const rated = events.findLast(({ kind }) => kind === "desk.rated")?.payload as { readonly score?: number } | undefined;
  return {
    name: name ?? "",
    type,
    others: (participants ?? []).filter((one) => one !== name),
    customer,
    requests: (all?.rows ?? []).map(([key, title, status]) => ({ key: String(key), title: String(title), status: String(status) })),
    waiting,
    score: rated?.score,
  };
}
