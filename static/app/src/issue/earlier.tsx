/** What the title and the description of an issue were: each text that somebody wrote, beside the present one. */
import { useEffect, useState } from "preact/hooks";
import type { Issue as WholeIssue, Revision } from "@kbwork/client";
import { Difference } from "../ai/difference.tsx";
import style from "../ai/style.css";
import { nameOf, Who } from "../issues/marks.tsx";
import { away, server } from "../store/server.ts";
import { dress } from "../ui/later.tsx";
import { Layer } from "../ui/layer.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { act } from "./act.ts";
import { earlierWords as words } from "./earlier_words.ts";

interface EarlierProps {
  readonly whole: WholeIssue;
  readonly onDone: (now: WholeIssue) => void;
  readonly onClose: () => void;
}

dress(style);

export function Earlier({ whole, onDone, onClose }: EarlierProps) {
  const [all, setAll] = useState<readonly Revision[]>();
  const [at, setAt] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const { key } = whole;
  useEffect(() => {
    let late = false;
    server.issues.revisions({ key }).then(
      (found) => late || setAll(found),
      (error: unknown) => late || setWrong(away(error) ? t.noAnswer : (error as Error).message),
    );
    return () => {
      late = true;
    };
  }, [key, whole.seq]);
  const [now, ...before] = all ?? [];
  const chosen = before.find(({ revision }) => revision === at) ?? before[0];
  const restore = async ({ revision }: Revision): Promise<void> => {
    const found = await act(words.restored(key), "issues.revision_restore", { key, revision });
    if (!found) return;
    onDone({ ...whole, title: found.title, body: found.body });
    onClose();
  };
  return (
    <Layer label={words.title} kind="dialog" onClose={onClose}>
      <div class="create scope scope-ai">
        <h2>{words.title}</h2>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {!all && !wrong && <p class="meta late-word">{t.loading}</p>}
        {all && !before.length && <p class="meta">{words.none}</p>}
        {now && chosen && (
          <>
            <label class="field">
              {words.which}
              <select value={chosen.revision} onChange={(event) => setAt(Number(event.currentTarget.value))}>
                {before.map(({ revision, who, at: written }) => <option key={revision} value={revision}>{`${nameOf(who) ?? who}, ${exactly(written)}`}</option>)}
              </select>
            </label>
            <p class="bar meta"><Who id={chosen.who} /> <span>{words.by(nameOf(chosen.who) ?? chosen.who, when(chosen.at))}</span></p>
            {chosen.title !== now.title && <Difference from={chosen.title} to={now.title} />}
            {chosen.body === now.body ? <p class="meta">{words.same}</p> : <div role="region" aria-label={words.since} tabIndex={0}><Difference from={chosen.body} to={now.body} /></div>}
          </>
        )}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.close}</button>
          {now && chosen && whole.can.edit && <button type="button" class="primary" onClick={() => void restore(chosen)}>{words.restore}</button>}
        </div>
      </div>
    </Layer>
  );
}
