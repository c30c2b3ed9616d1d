/** The description of an issue. What is written of it stays until it is saved or thrown away. */
import { useState } from "preact/hooks";
import type { Comment, Issue as WholeIssue } from "@kbwork/client";
import { Remarks, Rich } from "../screens/parts.tsx";
import { change } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { random } from "../store/server.ts";
import { Writing } from "../talk/writing.tsx";
import { Later, Part } from "../ui/later.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { t } from "../ui/texts.ts";
import { show, topicOf } from "./details.ts";
import { words } from "./texts.ts";

const Earlier = new Later(async () => (await import("./earlier.tsx")).Earlier);

interface BodyProps {
  readonly issue: Issue;
  readonly whole: WholeIssue;
  readonly comments: readonly Comment[];
}

export function Body({ issue, whole, comments }: BodyProps) {
  const name = `body.${issue.id}`;
  const [text, setText] = useState<string | undefined>(() => draftOf(name) || undefined);
  const [base, setBase] = useState(() => (text === undefined ? "" : draftOf(`${name}.base`)));
  const [rich, setRich] = useState(false);
  const [past, setPast] = useState(false);
  const keep = (next: string): void => {
    setText(next);
    keepDraft(name, next);
    keepDraft(`${name}.base`, base);
  };
  const cancel = (): void => {
    setText(undefined);
    keepDraft(name, "");
    keepDraft(`${name}.base`, "");
  };
  const save = (): void => {
    if (text !== undefined && text !== whole.body) {
      // The text is not among what is kept: shown from here until it is fetched again.
      show(issue.id, { whole: { ...whole, body: text } });
      // What others made of it is not written over before it was seen here.
      const known = issue.seq > whole.seq ? whole.seq : place.seq;
      change(issue, t.changed(t.description, issue.key), {}, "issues.update", { key: issue.key, body: text }, random(), known);
    }
    cancel();
  };
  if (text === undefined) {
    const begin = (): void => {
      setBase(whole.body);
      setText(whole.body);
    };
    return (
      <section aria-label={t.description}>
        {whole.body ? (
          <div class="remarked">
            <Markdown text={whole.body} />
            <Part of={Remarks} props={{ topic: topicOf(issue), comments, canComment: whole.can.comment }} />
          </div>
        ) : <p class="meta">{t.noDescription}</p>}
        {whole.can.edit && (
          <button type="button" class="plain" onClick={begin}>
            {t.edit}
          </button>
        )}
        <button type="button" class="plain" onClick={() => setPast(true)}>{t.earlier}</button>
        {past && <Part of={Earlier} props={{ whole, onDone: (now) => show(issue.id, { whole: now }), onClose: () => setPast(false) }} above />}
      </section>
    );
  }
  const writing = { label: t.description, value: text, topic: topicOf(issue), focused: true, onInput: keep, onSend: save, ...(text === base && { onCancel: cancel }) };
  return (
    <form
      class="body"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {whole.body !== base && <p class="wrong">{words.textChanged}</p>}
      {rich ? <Part of={Rich} props={writing} /> : <Writing {...writing} />}
      <div class="bar">
        <button type="submit" class="primary">{t.save}</button>
        <button type="button" class="plain" onClick={cancel}>{t.cancel}</button>
        <span class="grow" />
        <button type="button" class="plain" onClick={() => setRich(!rich)}>{rich ? words.writeMarkdown : words.writeRich}</button>
      </div>
    </form>
  );
}
