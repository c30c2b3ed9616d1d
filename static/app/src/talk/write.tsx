/** Writing a comment or an answer: what is written stays until it was sent. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ReplyPlan } from "../desk/reply.tsx";
import { nameOf } from "../issues/marks.tsx";
import { Quoting } from "../screens/parts.tsx";
import { draftOf, keepDraft, quote, quotedOf } from "../store/drafts.ts";
import { remember } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { me } from "../store/session.ts";
import { written } from "../ui/commands.ts";
import { Part } from "../ui/later.tsx";
import { say } from "../ui/notes.tsx";
import { moment, t } from "../ui/texts.ts";
import { ReplyTools } from "./desk.ts";
import { words } from "./texts.ts";
import type { Topic } from "./topic.ts";
import { Writing } from "./writing.tsx";

interface WriteProps {
  readonly topic: Topic;
  /** The comment that is answered. */
  readonly parent?: { readonly id: number; readonly internal: boolean };
  /** The customer whose request it is; undefined: it is none. */
  readonly customer?: string | undefined;
  /** Whether that is known: what is written waits for it, since a comment on a request goes out. */
  readonly known?: boolean;
  readonly onDone?: () => void;
}

export function Write({ topic, parent, customer, known = true, onDone }: WriteProps) {
  const name = parent ? `reply.${parent.id}` : `comment.${topic.draft}`;
  const [text, setText] = useState(() => draftOf(name));
  const mayNote = topic.notes && me.value?.member.role !== "guest";
  // Nothing goes to a customer that nobody said should.
  const [chosen, setInternal] = useState(() => (draftOf(`${name}.internal`) || (customer && mayNote ? "yes" : "no")) === "yes");
  const [call, setCall] = useState(random);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);
  const [plan, setPlan] = useState<ReplyPlan>({});
  const [offers, setOffers] = useState<Topic["offers"]>();
  const said = useRef(text);
  const internal = parent?.internal ?? chosen;
  const quoted = parent ? "" : quotedOf(topic.draft);
  const goesOut = customer !== undefined && !internal;
  const reader = nameOf(customer) ?? words.aCustomer;
  const keep = (next: string): void => {
    said.current = next;
    setText(next);
    keepDraft(name, next);
  };
  const send = async (): Promise<void> => {
    if (!text.trim() || busy) return;
    setAsked(!known); // by a key that came before the answer: it goes as soon as who reads it is known
    if (!known) return;
    setBusy(true);
    try {
      if (goesOut && !parent && mayNote) {
        const { at, status } = plan;
        const body = quoted ? `> ${(JSON.parse(quoted) as { exact: string }).exact}\n\n${text}` : text; // a letter has no words beside it
        await server.ask("desk.send_reply", { key: topic.name, body, ...(at && { send_at: at }), ...(status && { status }) }, { idempotencyKey: call });
        say(at ? words.sentLater(reader, moment(at)) : words.sent(reader));
        setPlan({});
      } else {
        const input = { subject: topic.subject, body: text, internal, ...(parent && { parent: parent.id }), ...(quoted && { anchor: quoted }) };
        const reply = await server.ask("comments.create", input, { idempotencyKey: call });
        remember(words.commentOn(topic.name), reply.seq);
      }
      if (said.current === text) keep(""); // else somebody wrote on
      if (quoted && quotedOf(topic.draft) === quoted) quote(topic.draft, "");
      setCall(random());
      if (customer) {
        setInternal(mayNote); // the next one goes nowhere either that nobody says
        keepDraft(`${name}.internal`, "");
      }
      await topic.refetch();
      onDone?.();
    } catch (error) {
      say(away(error) ? words.notSent : (error as Error).message);
      if (!away(error)) setCall(random()); // what is mended is another call
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => void (asked && known && send()), [asked, known]);
  const turn = (next: boolean): void => {
    setInternal(next);
    keepDraft(`${name}.internal`, next ? "yes" : "no");
  };
  const label = internal ? words.writeInternal : goesOut ? words.replyTo(reader) : parent ? words.writeReply : t.writeComment;
  const isReply = goesOut && !parent && mayNote;
  const what = internal ? words.internalWhat : goesOut && words.replyWhat;
  return (
    <form
      id={parent ? undefined : `write-${topic.draft}`}
      class={internal ? "write internal" : goesOut ? "write outgoing" : "write"}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {customer && mayNote && !parent && (
        <div class="switch" role="group" aria-label={words.who}>
          <button type="button" class="plain" aria-pressed={internal} onClick={() => turn(true)}>{words.internal}</button>
          <button type="button" class="plain" aria-pressed={!internal} onClick={() => turn(false)}>{words.replyTo(reader)}</button>
        </div>
      )}
      {quoted && <Part of={Quoting} props={{ anchor: quoted, onDrop: () => quote(topic.draft, "") }} />}
      <Writing
        label={label}
        value={text}
        rows={2}
        topic={isReply && offers ? { ...topic, offers } : topic}
        focused={parent !== undefined}
        onInput={keep}
        onSend={() => void send()}
        {...(onDone && { onCancel: onDone })}
      />
      {isReply && (
        <Part
          of={ReplyTools}
          props={{ of: topic.name, plan, onPlan: setPlan, onText: (more) => keep(said.current.trim() ? `${said.current.trimEnd()}\n\n${more}` : more), onOffers: (next) => setOffers(() => next) }}
        />
      )}
      <div class="bar">
        {mayNote && !parent && !customer && (
          <label class="meta" title={words.internalWhat}>
            <input type="checkbox" checked={chosen} onChange={() => turn(!chosen)} /> {words.internal}
          </label>
        )}
        <span class="grow meta">{what}</span>
        {onDone && <button type="button" class="plain" onClick={onDone}>{t.cancel}</button>}
        <button type="submit" class={internal ? "internal" : goesOut ? "primary" : ""} disabled={busy || !known || !text.trim()}>
          {internal ? words.sendInternal : goesOut ? (plan.at ? words.goesLater(reader, moment(plan.at)) : words.sendReply(reader)) : parent ? words.reply : t.send} <kbd>{written("$mod+Enter")}</kbd>
        </button>
      </div>
    </form>
  );
}
