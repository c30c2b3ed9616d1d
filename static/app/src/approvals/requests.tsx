/** Requests for approval on the page of an issue: what waits, what one decides, and what was decided before. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApprovalRequest } from "@kbwork/client";
import { moveTo } from "../issues/edits.ts";
import { partOf } from "../issues/lanes.ts";
import { nameOf, Who } from "../issues/marks.tsx";
import { draftOf, dropSent, keepDraft } from "../store/drafts.ts";
import type { Issue } from "../store/kinds.ts";
import { keeps } from "../store/rights.ts";
import { myId } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { offer } from "../ui/commands.ts";
import { LaneIcon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { Sending } from "../store/sending.ts";
import { words } from "./texts.ts";

interface ApprovalsProps {
  readonly issue: Issue;
  readonly requests: readonly ApprovalRequest[];
  /** Something was done to one of them. */
  readonly onDone: () => void;
}

export function Approvals({ issue, requests, onDone }: ApprovalsProps) {
  const open = requests.filter(({ state }) => state === "pending" || state === "approved");
  const closed = requests.filter((one) => !open.includes(one));
  return (
    <section aria-label={words.approvals}>
      {open.map((request) => <Open key={request.id} issue={issue} request={request} onDone={onDone} />)}
      {closed.length > 0 && (
        <details class="meta">
          <summary>{words.earlier(closed.length)}</summary>
          <ol>{closed.map((request) => <Closed key={request.id} request={request} />)}</ol>
        </details>
      )}
    </section>
  );
}

function Lane({ of }: { of: string }) {
  const lane = tables.lane.watch(of);
  return (
    <strong class="lane">
      <LaneIcon lane={lane} part={partOf(lane)} /> {lane?.name ?? of}
    </strong>
  );
}

function Open({ issue, request, onDone }: { issue: Issue; request: ApprovalRequest; onDone: () => void }) {
  const isMine = request.requested_by === myId.value;
  const ready = request.state === "approved";
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  const takeBack = async (): Promise<void> => {
    setBusy(true);
    const { wrong } = await sending.current.send("approvals.cancel", { id: request.id });
    if (wrong) say(wrong);
    setBusy(false);
    onDone();
  };
  return (
    <div class={ready ? "request ready" : "request"}>
      <p>{ready ? words.ready : words.waits} <Lane of={request.to_status} /></p>
      <p class="meta">
        <strong>{nameOf(request.requested_by)}</strong> {words.asks}, <time title={exactly(request.created_at)}>{when(request.created_at)}</time>
        {" · "}
        {words.count(request.approvals, request.needed)}
      </p>
      {request.note && <p class="said-to" dir="auto">{request.note}</p>}
      <People of={request} />
      {request.can_decide && <Decide issue={issue} request={request} onDone={onDone} />}
      {ready && !isMine && <p class="meta">{words.waitsForAsker(nameOf(request.requested_by) ?? "")}</p>}
      {(isMine || keeps(issue.project)) && (
        <p class="bar">
          {ready && isMine && <button type="button" class="primary" onClick={() => moveTo([issue], request.to_status)}>{words.move}</button>}
          <button type="button" class="plain" disabled={busy} onClick={() => void takeBack()}>{words.takeBack}</button>
        </p>
      )}
    </div>
  );
}

function People({ of: { approvers, votes } }: { of: ApprovalRequest }) {
  const voted = votes.map(({ who }) => who);
  const all = [...votes.map(({ who }) => who), ...approvers.filter((who) => !voted.includes(who))];
  return (
    <ul>
      {all.map((who) => {
        const vote = votes.find((one) => one.who === who);
        return (
          <li key={who} class="bar">
            <Who id={who} />
            <span class="grow" dir="auto">
              {nameOf(who)}{" "}
              <span class={vote ? (vote.approve ? "yes" : "no") : "meta"}>{vote ? (vote.approve ? words.agrees : words.refuses) : words.isAsked}</span>
              {vote?.note && <span class="meta">: {vote.note}</span>}
            </span>
            {vote && <time class="meta" title={exactly(vote.at)}>{when(vote.at)}</time>}
          </li>
        );
      })}
    </ul>
  );
}

function Decide({ issue, request, onDone }: { issue: Issue; request: ApprovalRequest; onDone: () => void }) {
  const name = `approval.${request.id}`;
  const [note, setNote] = useState(() => draftOf(name));
  const [busy, setBusy] = useState(false);
  const sending = useRef({ yes: new Sending(), no: new Sending() });
  const mine = request.votes.find(({ who }) => who === myId.value);
  const lane = tables.lane.watch(request.to_status)?.name ?? request.to_status;
  const left = request.needed - request.approvals;
  const decide = async (approve: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const title = approve ? words.agreed(issue.key) : words.refused(issue.key);
    const sent = note.trim();
    const way = approve ? sending.current.yes : sending.current.no;
    const { data, wrong } = await way.send("approvals.decide", { id: request.id, approve, ...(sent && { note: sent }) });
    setBusy(false);
    if (data) {
      setNote(dropSent(name, note));
      say(data.blocked !== undefined ? words.blocked(data.blocked) : data.moved ? words.moved(issue.key, lane) : title);
    } else say(wrong ?? "");
    onDone(); // what was refused was decided meanwhile
  };
  const now = useRef(decide);
  now.current = decide; // with what is written by then
  useLayoutEffect(
    () =>
      offer([true, false].map((approve) => ({
        id: `approval:${request.id}:${approve}`,
        title: `${approve ? words.approve : words.reject}: ${issue.key} ${words.to(lane)}`,
        group: t.issue,
        run: () => void now.current(approve),
      }))),
    [request.id, issue.key, lane],
  );
  return (
    <form
      class="decide"
      onSubmit={(event) => {
        event.preventDefault();
        void decide(true);
      }}
    >
      <label class="field">
        {words.note}
        <textarea
          rows={2}
          maxLength={2000}
          value={note}
          onInput={(event) => {
            setNote(event.currentTarget.value);
            keepDraft(name, event.currentTarget.value);
          }}
        />
      </label>
      <p class="bar">
        <button type="submit" class="primary" disabled={busy}>{words.approve}</button>
        <button type="button" disabled={busy} onClick={() => void decide(false)}>{words.reject}</button>
        {!mine?.approve && <span class="meta">{words.next(left)}</span>}
      </p>
    </form>
  );
}

function Closed({ request }: { request: ApprovalRequest }) {
  const { state, to_status, decided_at, votes } = request;
  const said = votes.map(({ who, approve, note }) => `${nameOf(who)} ${approve ? words.agrees : words.refuses}${note && `: ${note}`}`);
  return (
    <li>
      {words.states[state as keyof typeof words.states]} {words.to(tables.lane.watch(to_status)?.name ?? to_status)}
      {decided_at !== null && <>, <time title={exactly(decided_at)}>{when(decided_at)}</time></>}
      {said.length > 0 && <span dir="auto"> · {said.join("; ")}</span>}
    </li>
  );
}
