/** A thread of comments: what was said, what was answered, and how people took it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Comment } from "@kbwork/client";
import { choose } from "../issues/asked.ts";
import { nameOf } from "../issues/marks.tsx";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { keeps } from "../store/rights.ts";
import { isCustomer } from "../store/outsiders.ts";
import { myId } from "../store/session.ts";
import { Avatar } from "../ui/icons.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { act } from "./act.ts";
import { type About, refetch } from "./details.ts";
import { EMOJI, words } from "./texts.ts";
import { Write } from "./write.tsx";
import { Writing } from "./writing.tsx";


interface ThreadProps {
  readonly issue: About;
  readonly starter: Comment;
  readonly comments: readonly Comment[];
  readonly canComment: boolean;
  /** The customer whose request the issue is; undefined: it is none. */
  readonly customer?: string | undefined;
}

export function Thread({ issue, starter, comments, canComment, customer }: ThreadProps) {
  const [open, setOpen] = useState(false);
  const [answers, setAnswers] = useState(() => draftOf(`reply.${starter.id}`) !== "");
  const replies = comments.filter((comment) => comment.parent === starter.id);
  const resolve = async (resolved: boolean): Promise<void> => {
    const title = resolved ? words.resolve : words.reopen;
    if (await act(`${title} ${issue.key}`, "comments.resolve", { id: starter.id, resolved })) await refetch(issue);
  };
  if (starter.resolved_at !== null && !open) {
    return (
      <li class="bar meta folded">
        <span class="cut grow">{words.resolved(nameOf(starter.resolved_by ?? undefined) ?? "")}: {starter.body}</span>
        <button type="button" class="plain" onClick={() => setOpen(true)}>{words.showResolved}</button>
      </li>
    );
  }
  return (
    <li class={starter.internal ? "thread internal" : "thread"}>
      <Said issue={issue} comment={starter} canComment={canComment}>
        {!answers && <button type="button" class="plain small" onClick={() => setAnswers(true)}>{words.reply}</button>}
        <button type="button" class="plain small" onClick={() => void resolve(starter.resolved_at === null)}>
          {starter.resolved_at === null ? words.resolve : words.reopen}
        </button>
      </Said>
      {replies.length > 0 && (
        <ol class="replies">
          {replies.map((reply) => (
            <li key={reply.id}><Said issue={issue} comment={reply} canComment={canComment} /></li>
          ))}
        </ol>
      )}
      {canComment && answers && <Write issue={issue} parent={starter} customer={customer} onDone={() => setAnswers(false)} />}
    </li>
  );
}

interface SaidProps {
  readonly issue: About;
  readonly comment: Comment;
  readonly canComment: boolean;
  /** What else can be done with it. */
  readonly children?: ComponentChildren;
}

function Said({ issue, comment, canComment, children }: SaidProps) {
  const [edits, setEdits] = useState(() => draftOf(`edit.${comment.id}`) !== "");
  if (!comment.author && !comment.body) return <p class="meta said">{words.gone}</p>;
  const name = nameOf(comment.author) ?? comment.author;
  const mine = comment.author === myId.value;
  const remove = async (): Promise<void> => {
    if (await act(words.commentOn(issue.key), "comments.delete", { id: comment.id })) await refetch(issue);
  };
  return (
    <div class="said" id={`comment-${comment.id}`}>
      <Avatar id={comment.author} name={name} agent={comment.author.startsWith("agent:")} />
      <div class="grow">
        <p class="by">
          <strong>{name}</strong>
          <time class="meta" title={exactly(comment.created_at)}>{when(comment.created_at)}</time>
          {comment.edited_at && <span class="meta" title={exactly(comment.edited_at)}>{words.edited}</span>}
          {comment.internal && <span class="chip note-mark">{words.internal}</span>}
          {isCustomer(comment.author) && <span class="chip">{words.customer}</span>}
        </p>
        {canComment && (
          <p class="acts">
            {children}
            <React issue={issue} comment={comment} />
            {mine && !edits && <button type="button" class="plain small" onClick={() => setEdits(true)}>{words.edit}</button>}
            {(mine || keeps(issue.project)) && <button type="button" class="plain small" onClick={() => void remove()}>{words.remove}</button>}
          </p>
        )}
        {edits ? <Edit issue={issue} comment={comment} onDone={() => setEdits(false)} /> : <Markdown text={comment.body} />}
        <Reactions issue={issue} comment={comment} canComment={canComment} />
      </div>
    </div>
  );
}

function Edit({ issue, comment, onDone }: { issue: About; comment: Comment; onDone: () => void }) {
  const name = `edit.${comment.id}`;
  const [text, setText] = useState(() => draftOf(name) || comment.body);
  const end = (): void => {
    keepDraft(name, "");
    onDone();
  };
  const save = async (): Promise<void> => {
    if (!text.trim() || text === comment.body) return end();
    if (!(await act(words.commentOn(issue.key), "comments.update", { id: comment.id, body: text }))) return;
    await refetch(issue);
    end();
  };
  return (
    <form
      class="write"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Writing
        label={words.edit}
        value={text}
        rows={3}
        issue={issue}
        focused
        onInput={(next) => {
          setText(next);
          keepDraft(name, next);
        }}
        onSend={() => void save()}
        {...(text === comment.body && { onCancel: end })}
      />
      <div class="bar">
        <span class="grow" />
        <button type="button" class="plain" onClick={end}>{t.cancel}</button>
        <button type="submit" class="primary">{t.save}</button>
      </div>
    </form>
  );
}

async function react(issue: About, comment: Comment, emoji: string, on: boolean): Promise<void> {
  if (await act(`${emoji} ${issue.key}`, "comments.react", { id: comment.id, emoji, on })) await refetch(issue);
}

function React({ issue, comment }: { issue: About; comment: Comment }) {
  const ask = (at: Element): void => {
    const options = EMOJI.map(([emoji, name]) => ({ title: `${emoji} ${name}`, run: () => void react(issue, comment, emoji, true) }));
    choose({ label: words.react, at, options });
  };
  return <button type="button" class="plain small" onClick={(event) => ask(event.currentTarget)}>{words.react}</button>;
}

function Reactions({ issue, comment, canComment }: { issue: About; comment: Comment; canComment: boolean }) {
  if (!comment.reactions.length) return null;
  return (
    <p class="bar reactions">
      {comment.reactions.map(({ emoji, count, mine, who }) => {
        const names = who.map((id) => nameOf(id) ?? id).join(", ");
        return (
          <button
            key={emoji}
            type="button"
            class={mine ? "chip mine" : "chip"}
            aria-pressed={mine}
            disabled={!canComment}
            title={names}
            aria-label={words.reaction(emoji, names)}
            onClick={() => void react(issue, comment, emoji, !mine)}
          >
            {emoji} {count}
          </button>
        );
      })}
    </p>
  );
}
