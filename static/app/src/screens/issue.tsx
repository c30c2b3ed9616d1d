/** An issue, beside the list or as a page: its fields, its text and what people said. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Comment, Issue as WholeIssue } from "@kbwork/client";
import { change, remember, troubles } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { Issue } from "../store/kinds.ts";
import { away, random, server } from "../store/server.ts";
import { place } from "../store/place.ts";
import { offlineSince } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar, Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { exactly, PRIORITIES, t, when } from "../ui/texts.ts";
import { byKey } from "./cursor.ts";
import { edit, type Field, FIELDS, setTitle } from "./fields.tsx";
import { Due, Labels, nameOf, Who } from "./list.tsx";
import { partOf } from "./query.ts";
import { TroubleBox } from "./trouble.tsx";

/** What is fetched when somebody looks: the text and the comments, as they were at the issue's `seq`. */
interface Details {
  readonly whole: WholeIssue;
  readonly comments: readonly Comment[];
}

const MOST_KEPT = 200;
const details = signal<ReadonlyMap<number, Details>>(new Map());

async function detailsOf(key: string): Promise<Details> {
  const [whole, comments] = await server.batch([
    ["issues.get", { key }],
    ["comments.list", { subject: `issue:${key}` }],
  ]);
  return { whole, comments };
}

async function fetchDetails(issue: Pick<Issue, "id" | "key">): Promise<void> {
  const found = await detailsOf(issue.key);
  const next = new Map(details.value);
  next.delete(issue.id);
  next.set(issue.id, found);
  for (const id of next.keys()) {
    if (next.size <= MOST_KEPT) break;
    next.delete(id);
  }
  details.value = next;
}

/**
 * Fetch them, and again whenever the issue changed, a change of it was taken back, or the server answers again. Answers
 * why that did not go.
 */
function useDetails(issue: Issue | undefined): string | undefined {
  const [wrong, setWrong] = useState<string>();
  const refused = issue && troubles.value.get(issue.id);
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    if (!issue) return;
    let late = false;
    setWrong(undefined);
    fetchDetails(issue).catch((error: unknown) => late || setWrong(whyNot(error)));
    return () => {
      late = true;
    };
  }, [issue?.id, issue?.seq, refused, isAway]);
  return wrong;
}

function whyNot(error: unknown): string {
  return away(error) ? "The text is not here, and the server does not answer." : String((error as Error).message);
}

export function IssueView({ asked, onClose }: { asked: string; onClose?: () => void }) {
  const id = byKey(asked);
  const issue = id === undefined ? undefined : tables.issue.watch(id);
  const wrong = useDetails(issue);
  if (!issue) return <Absent asked={asked} />;
  const found = details.value.get(issue.id);
  const trouble = troubles.value.get(issue.id) ?? [];
  return (
    <article class="issue" aria-label={issue.key} key={issue.id}>
      <header class="bar">
        <a data-in href={`/projects/${issue.project}`} class="meta">{tables.project.watch(issue.project)?.name}</a>
        <span class="key meta">{issue.key}</span>
        <span class="grow" />
        {onClose && (
          <>
            <button type="button" class="mini" title={`${t.open} (Enter)`} aria-label={t.open} onClick={() => go(`/issues/${issue.key}`)}>
              <Icon of="out" />
            </button>
            <button type="button" class="mini" title={`${t.close} (Esc)`} aria-label={t.close} onClick={onClose}>
              <Icon of="close" />
            </button>
          </>
        )}
      </header>
      {trouble.map((one) => <TroubleBox key={one.change.id} trouble={one} />)}
      <Title issue={issue} />
      <Fields issue={issue} />
      {wrong && <p class="wrong">{wrong}</p>}
      {found ? <Body issue={issue} whole={found.whole} /> : !wrong && <p class="meta pad">{t.loading}</p>}
      {found && <Comments issue={issue} comments={found.comments} />}
    </article>
  );
}

/** One that is not kept: done long ago, archived, or not there. */
function Absent({ asked }: { asked: string }) {
  const [wrong, setWrong] = useState<string>();
  const [found, setFound] = useState<Details>();
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    let late = false;
    setWrong(undefined);
    setFound(undefined);
    detailsOf(asked)
      .then((told) => late || setFound(told))
      .catch((error: unknown) => late || setWrong(away(error) ? whyNot(error) : t.noIssue(asked)));
    return () => {
      late = true;
    };
  }, [asked, isAway]);
  if (wrong) return <div class="empty"><h1>{wrong}</h1></div>;
  if (!found) return <p class="meta pad">{t.loading}</p>;
  const { whole, comments } = found;
  return (
    <article class="issue" aria-label={whole.key}>
      <header class="bar"><span class="key meta">{whole.key}</span></header>
      <h1 dir="auto">{whole.title}</h1>
      <p class="fields"><span class="chip">{whole.status}</span></p>
      <Markdown text={whole.body} />
      <ol class="comments">{comments.map((comment) => <Said key={comment.id} comment={comment} />)}</ol>
    </article>
  );
}

function Title({ issue }: { issue: Issue }) {
  const box = useRef<HTMLTextAreaElement>(null);
  /** What stood there when somebody began to write, and up to which event that was. */
  const begun = useRef({ title: issue.title, seq: place.seq });
  useLayoutEffect(() => {
    // Whoever writes goes on: what others made of it meanwhile meets it when it is sent.
    if (document.activeElement !== box.current) box.current!.value = issue.title;
    grow(box.current!);
  }, [issue.id, issue.title]);
  return (
    <h1 class="title">
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={t.title}
        maxLength={500}
        data-title
        onInput={(event) => grow(event.currentTarget)}
        onFocus={() => {
          begun.current = { title: issue.title, seq: place.seq };
        }}
        onBlur={(event) => {
          const { title, seq } = begun.current;
          if (event.currentTarget.value.trim() !== title) setTitle(issue, event.currentTarget.value, seq);
          else event.currentTarget.value = issue.title; // others may have changed it meanwhile
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Escape") event.currentTarget.value = issue.title;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
    </h1>
  );
}

function grow(box: HTMLTextAreaElement): void {
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

function Fields({ issue }: { issue: Issue }) {
  const lane = tables.lane.watch(issue.lane);
  const parent = issue.parent === null ? undefined : tables.issue.watch(issue.parent);
  return (
    <div class="fields">
      <FieldButton of="status" issue={issue}>
        <LaneIcon lane={lane} part={partOf(lane)} />
        {lane?.name}
      </FieldButton>
      <FieldButton of="priority" issue={issue}>
        <PriorityIcon priority={issue.priority} />
        {PRIORITIES[issue.priority]}
      </FieldButton>
      <FieldButton of="assignee" issue={issue}>
        <Who id={issue.assignees[0]} />
        {issue.assignees.map((id) => nameOf(id)).join(", ") || t.nobody}
      </FieldButton>
      <FieldButton of="labels" issue={issue}>
        {issue.labels.length ? <Labels ids={issue.labels} /> : t.noLabels}
      </FieldButton>
      <FieldButton of="due" issue={issue}>
        {issue.due_date ? <Due date={issue.due_date} done={lane?.category === "done"} /> : t.noDate}
      </FieldButton>
      {parent && (
        <a class="chip" data-in href={`/issues/${parent.key}`} title={`${t.parent}: ${parent.title}`}>
          ↑ {parent.key}
        </a>
      )}
    </div>
  );
}

function FieldButton({ of, issue, children }: { of: Field; issue: Issue; children: preact.ComponentChildren }) {
  const label = FIELDS[of];
  return (
    <button type="button" class="chip" title={label} onClick={(event) => edit(of, [issue.id], event.currentTarget)}>
      <span class="hidden">{label}: </span>
      {children}
    </button>
  );
}

function Body({ issue, whole }: { issue: Issue; whole: WholeIssue }) {
  const [text, setText] = useState<string>();
  const [base, setBase] = useState("");
  const save = (): void => {
    if (text !== undefined && text !== whole.body) {
      // The text is not among what is kept: shown from here until it is fetched again.
      details.value = new Map(details.value).set(issue.id, { ...details.value.get(issue.id)!, whole: { ...whole, body: text } });
      change(issue, t.changed(t.description, issue.key), {}, "issues.update", { key: issue.key, body: text });
    }
    setText(undefined);
  };
  if (text === undefined) {
    const begin = (): void => {
      setBase(whole.body);
      setText(whole.body);
    };
    return (
      <section aria-label={t.description}>
        {whole.body ? <Markdown text={whole.body} /> : <p class="meta">{t.noDescription}</p>}
        {whole.can.edit && (
          <button type="button" class="plain" onClick={begin}>
            {t.edit}
          </button>
        )}
      </section>
    );
  }
  return (
    <form
      class="body"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {whole.body !== base && <p class="wrong">Somebody else changed this text meanwhile. Yours takes its place if you save.</p>}
      <Text label={t.description} value={text} onInput={setText} onSend={save} />
      <div class="bar">
        <button type="submit" class="primary">{t.save}</button>
        <button type="button" class="plain" onClick={() => setText(undefined)}>{t.cancel}</button>
      </div>
    </form>
  );
}

function Comments({ issue, comments }: { issue: Issue; comments: readonly Comment[] }) {
  return (
    <section aria-label={t.comments}>
      <h2>{t.comments}</h2>
      <ol class="comments">
        {comments.map((comment) => <Said key={comment.id} comment={comment} />)}
      </ol>
      <Write issue={issue} />
    </section>
  );
}

function Said({ comment }: { comment: Comment }) {
  const name = nameOf(comment.author) ?? comment.author;
  return (
    <li class={comment.internal ? "said internal" : "said"}>
      <Avatar id={comment.author} name={name} agent={comment.author.startsWith("agent:")} />
      <div class="grow">
        <p class="by">
          <strong>{name}</strong>
          <time class="meta" title={exactly(comment.created_at)}>{when(comment.created_at)}</time>
          {comment.edited_at && <span class="meta">edited</span>}
          {comment.internal && <span class="chip note-mark">Internal note</span>}
        </p>
        <Markdown text={comment.body} />
      </div>
    </li>
  );
}

const DRAFT = "comment.";

/** A comment: what is written stays until it was sent. */
function Write({ issue }: { issue: Issue }) {
  const name = DRAFT + issue.id;
  const [text, setText] = useState(() => draftOf(name));
  const [call, setCall] = useState(random);
  const [busy, setBusy] = useState(false);
  const said = useRef(text);
  const keep = (next: string): void => {
    said.current = next;
    setText(next);
    keepDraft(name, next);
  };
  const send = async (): Promise<void> => {
    if (!text.trim() || busy) return;
    setBusy(true);
    try {
      const reply = await server.ask("comments.create", { subject: `issue:${issue.key}`, body: text }, { idempotencyKey: call });
      remember(`Comment on ${issue.key}`, reply.seq);
      if (said.current === text) keep(""); // else somebody wrote on
      setCall(random());
      await fetchDetails(issue);
    } catch (error) {
      say(away(error) ? "Not sent: the server does not answer. Your words stay here." : (error as Error).message);
      if (!away(error)) setCall(random()); // what is mended is another call
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="write"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Text label={t.writeComment} value={text} onInput={keep} onSend={() => void send()} rows={2} />
      <div class="bar">
        <span class="grow meta">Markdown</span>
        <button type="submit" disabled={busy || !text.trim()}>{t.send} <kbd>{"Ctrl+Enter"}</kbd></button>
      </div>
    </form>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  readonly onInput: (text: string) => void;
  readonly onSend: () => void;
}

function Text({ label, value, rows = 8, onInput, onSend }: TextProps) {
  return (
    <textarea
      rows={Math.max(rows, Math.min(24, value.split("\n").length + 1))}
      dir="auto"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          onSend();
        } else if (event.key === "Escape") {
          event.stopPropagation();
          event.currentTarget.blur();
        }
      }}
    />
  );
}

