/** A thread of comments: what was said, what was answered, and how people took it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Comment } from "@kbwork/client";
import { choose } from "../issues/asked.ts";
import { nameOf } from "../issues/marks.tsx";
import { Quoted } from "../screens/parts.tsx";
import { draftOf, dropSent, keepDraft } from "../store/drafts.ts";
import { isCustomer } from "../store/outsiders.ts";
import { myId } from "../store/session.ts";
import { Avatar } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { act } from "../issue/act.ts";
import { EMOJI, words } from "./texts.ts";
import type { Topic } from "./topic.ts";
import { Write } from "./write.tsx";
import { Writing } from "./writing.tsx";

interface ThreadProps {
  readonly topic: Topic;
  readonly starter: Comment;
  readonly comments: readonly Comment[];
  readonly canComment: boolean;
  /** The customer whose request it is; undefined: it is none. */
  readonly customer?: string | undefined;
}

export function Thread({ topic, starter, comments, canComment, customer }: ThreadProps) {
  const [open, setOpen] = useState(false);
  const [answers, setAnswers] = useState(() => draftOf(`reply.${starter.id}`) !== "");
  const replies = comments.filter((comment) => comment.parent === starter.id);
  const resolve = async (resolved: boolean): Promise<void> => {
    const title = resolved ? words.resolve : words.reopen;
    if (await act(`${title} ${topic.name}`, "comments.resolve", { id: starter.id, resolved })) await topic.refetch();
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
      {starter.anchor && <Part of={Quoted} props={{ id: starter.id, anchor: starter.anchor }} />}
      <Said topic={topic} comment={starter} canComment={canComment}>
        {!answers && <button type="button" class="plain small" onClick={() => setAnswers(true)}>{words.reply}</button>}
        <button type="button" class="plain small" onClick={() => void resolve(starter.resolved_at === null)}>
          {starter.resolved_at === null ? words.resolve : words.reopen}
        </button>
      </Said>
      {replies.length > 0 && (
        <ol class="replies">
          {replies.map((reply) => (
            <li key={reply.id}><Said topic={topic} comment={reply} canComment={canComment} /></li>
          ))}
        </ol>
      )}
      {canComment && answers && <Write topic={topic} parent={starter} customer={customer} onDone={() => setAnswers(false)} />}
    </li>
  );
}

interface SaidProps {
  readonly topic: Topic;
  readonly comment: Comment;
  readonly canComment: boolean;
  /** What else can be done with it. */
  readonly children?: ComponentChildren;
}

function Said({ topic, comment, canComment, children }: SaidProps) {
  const [edits, setEdits] = useState(() => draftOf(`edit.${comment.id}`) !== "");
  if (!comment.author && !comment.body) return <p class="meta said">{words.gone}</p>;
  const name = nameOf(comment.author) ?? comment.author;
  const mine = comment.author === myId.value;
  const remove = async (): Promise<void> => {
    if (await act(words.commentOn(topic.name), "comments.delete", { id: comment.id })) await topic.refetch();
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
            <React topic={topic} comment={comment} />
            {mine && !edits && <button type="button" class="plain small" onClick={() => setEdits(true)}>{words.edit}</button>}
            {(mine || topic.keeps) && <button type="button" class="plain small" onClick={() => void remove()}>{words.remove}</button>}
          </p>
        )}
        {edits ? <Edit topic={topic} comment={comment} onDone={() => setEdits(false)} /> : <Markdown text={comment.body} {...topic.around} />}
        <Reactions topic={topic} comment={comment} canComment={canComment} />
      </div>
    </div>
  );
}

function Edit({ topic, comment, onDone }: { topic: Topic; comment: Comment; onDone: () => void }) {
  const name = `edit.${comment.id}`;
  const [text, setText] = useState(() => draftOf(name) || comment.body);
  const end = (): void => {
    keepDraft(name, "");
    onDone();
  };
  const save = async (): Promise<void> => {
    if (!text.trim() || text === comment.body) return end();
    if (!(await act(words.commentOn(topic.name), "comments.update", { id: comment.id, body: text }))) return;
    await topic.refetch();
    if (!dropSent(name, text)) onDone();
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
        topic={topic}
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

async function react(topic: Topic, comment: Comment, emoji: string, on: boolean): Promise<void> {
  if (await act(`${emoji} ${topic.name}`, "comments.react", { id: comment.id, emoji, on })) await topic.refetch();
}

function React({ topic, comment }: { topic: Topic; comment: Comment }) {
  const ask = (at: Element): void => {
    const options = EMOJI.map(([emoji, name]) => ({ title: `${emoji} ${name}`, run: () => void react(topic, comment, emoji, true) }));
    choose({ label: words.react, at, options });
  };
  return <button type="button" class="plain small" onClick={(event) => ask(event.currentTarget)}>{words.react}</button>;
}

function Reactions({ topic, comment, canComment }: { topic: Topic; comment: Comment; canComment: boolean }) {
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
            onClick={() => void react(topic, comment, emoji, !mine)}
          >
            {emoji} {count}
          </button>
        );
      })}
    </p>
  );
}
