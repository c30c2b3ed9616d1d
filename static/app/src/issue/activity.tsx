/** What was said about an issue and what was changed of it, in the order of time. */
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import type { Comment, FieldChange, Seen } from "@kbwork/client";
import { nameOf } from "../issues/marks.tsx";
import { ownNamed } from "../issues/own.tsx";
import type { Issue } from "../store/kinds.ts";
import { myId } from "../store/session.ts";
import { Thread } from "../talk/comments.tsx";
import { Write } from "../talk/write.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { topicOf } from "./details.ts";
import { fieldName, valueText, words } from "./texts.ts";

const showsHistory = signal(true);
/** Changes of one person within so many seconds are one line. */
const TOGETHER_S = 600;

interface Changes {
  readonly who: string;
  readonly at: number;
  readonly changes: readonly FieldChange[];
}

interface ActivityProps {
  readonly issue: Issue;
  readonly comments: readonly Comment[];
  readonly history: readonly FieldChange[];
  readonly canComment: boolean;
  /** The customer whose request it is; undefined: it is none. */
  readonly customer: string | undefined;
  /** Whether that is known. */
  readonly known: boolean;
  readonly seen: Seen | undefined;
}

export function Activity({ issue, comments, history, canComment, customer, known, seen }: ActivityProps) {
  const threads = comments.filter((comment) => comment.parent === null);
  const changes = showsHistory.value ? gathered(history) : [];
  const entries = [
    ...threads.map((comment) => ({ at: comment.created_at, comment })),
    ...changes.map((change) => ({ at: change.at, change })),
  ].sort((one, other) => one.at - other.at);
  const newFrom = firstNew(entries, seen);
  return (
    <section aria-label={words.activity}>
      <h2 class="bar">
        {words.activity}
        <span class="grow" />
        <button type="button" class="plain" aria-pressed={showsHistory.value} onClick={() => (showsHistory.value = !showsHistory.value)}>
          {showsHistory.value ? words.hideHistory : words.showHistory}
        </button>
      </h2>
      <ol class="comments" aria-label={t.comments}>
        {entries.map((entry, at) => (
          <Fragment key={"comment" in entry ? `comment-${entry.comment.id}` : `change-${entry.change.at}-${entry.change.who}`}>
            {at === newFrom && <li class="new-since" key="new">{words.newSince}</li>}
            {"comment" in entry ? (
              <Thread topic={topicOf(issue)} starter={entry.comment} comments={comments} canComment={canComment} customer={customer} key="entry" />
            ) : (
              <ChangeLine change={entry.change} key="entry" />
            )}
          </Fragment>
        ))}
      </ol>
      {canComment && <Write key={`${issue.id} ${customer}`} topic={topicOf(issue)} customer={customer} known={known} />}
    </section>
  );
}

/** Where what others did since begins; nothing where all of it is new, or none. */
function firstNew(entries: readonly { at: number; comment?: Comment; change?: Changes }[], seen: Seen | undefined): number {
  if (!seen?.previous || !seen.changes) return -1;
  const since = seen.previous.at;
  return entries.findIndex((entry) => entry.at > since && (entry.comment?.author ?? entry.change?.who) !== myId.value);
}

/** The first one first; what changed forth and back within a short time is told as it came out. */
function gathered(history: readonly FieldChange[]): Changes[] {
  const found: { who: string; at: number; changes: FieldChange[] }[] = [];
  for (const change of history.toReversed()) {
    const last = found.at(-1);
    if (last?.who !== change.who || change.at - last.at > TOGETHER_S) {
      found.push({ who: change.who, at: change.at, changes: [change] });
      continue;
    }
    const before = last.changes.findIndex((one) => one.field === change.field);
    if (before < 0) last.changes.push(change);
    else last.changes[before] = { ...change, from: last.changes[before]!.from };
  }
  return found.map((one) => ({ ...one, changes: one.changes.filter(isOne) })).filter((one) => one.changes.length > 0);
}

/** What was taken back at once is none. */
function isOne({ from, to }: FieldChange): boolean {
  return JSON.stringify(from) !== JSON.stringify(to);
}

function ChangeLine({ change: { who, at, changes } }: { change: Changes }) {
  return (
    <li class="change meta">
      <span>
        <strong>{nameOf(who)}</strong>{" "}
        {changes.map((change, index) => (
          <span key={change.field}>
            {index > 0 && ", "}
            <Change change={change} />
          </span>
        ))}
      </span>
      <time title={exactly(at)}>{when(at)}</time>
    </li>
  );
}

function Change({ change: { field, from, to } }: { change: FieldChange }) {
  const name = fieldName(field);
  // Of long texts only the sizes are told.
  if (field === "body" || ownNamed(field)?.kind === "paragraph") return <>{words.changed} {name}</>;
  const called = (id: string): string => nameOf(id) ?? id;
  const [before, after] = [valueText(field, from, called), valueText(field, to, called)];
  if (!after) return <>{words.cleared} {name}</>;
  if (!before) return <>{words.set} {name} {words.to} <bdi>{after}</bdi></>;
  return (
    <>
      {words.changed} {name} {words.from} <bdi>{before}</bdi> {words.to} <bdi>{after}</bdi>
    </>
  );
}
