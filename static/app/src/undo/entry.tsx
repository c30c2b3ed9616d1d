/** Taking back the change that an entry of the audit log tells of: what would come of it, or why it is not to be had. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Applied, AuditEntry } from "@kbwork/client";
import { nowMs } from "../store/clock.ts";
import { may, myId } from "../store/session.ts";
import { t } from "../ui/texts.ts";
import { type Against, lookCloser, takeBackOf } from "./taking.ts";
import { words } from "./texts.ts";

const KEPT_S = 86_400;

type Answer = Applied | Against;

interface UndoEntryProps {
  readonly entry: AuditEntry;
  /** It is taken back. */
  readonly onDone: () => void;
}

export function UndoEntry({ entry, onDone }: UndoEntryProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [isBack, setIsBack] = useState(false);
  const [busy, setBusy] = useState(false);
  const status = useRef<HTMLDivElement>(null);
  const never = whyNever(entry);
  useEffect(() => {
    let late = false;
    if (!never) void lookCloser({ seq: entry.id }).then((found) => late || setAnswer(found));
    return () => {
      late = true;
    };
  }, [entry.id]);
  const back = async (force: boolean): Promise<void> => {
    setBusy(true);
    status.current?.focus(); // its button is gone
    const found = await takeBackOf(entry.id, force);
    setBusy(false);
    setAnswer(found);
    if ("why" in found) return;
    setIsBack(true);
    onDone();
  };
  const against = answer && "why" in answer ? answer : undefined;
  const comes = answer && "undone" in answer ? answer : undefined;
  return (
    <section class="of-entry" aria-label={words.undoThis}>
      <div ref={status} role="status" tabIndex={-1}>
        {never && <p class="meta">{never}</p>}
        {!never && !answer && <p class="meta late-word">{t.loading}</p>}
        {isBack && <p>{words.isBack}</p>}
        {comes && <p class="meta">{isBack ? words.cameBack : words.wouldComeBack}</p>}
        {comes && <ul class="stays">{comes.undone.map(({ subject, what }) => <li key={subject} dir="auto">{words.ofWhat(what, subject)}</li>)}</ul>}
        {comes?.kept.map(({ subject, why }) => <p class="meta" key={subject}>{words.stays(subject, why)}</p>)}
        {against && <p class="wrong">{against.isUnknown ? words.noChange : against.why}</p>}
        {against && against.each.length > 0 && <ul class="stays">{against.each.map((each) => <li key={each}>{each}</li>)}</ul>}
      </div>
      {comes && !isBack && <button type="button" disabled={busy} onClick={() => void back(false)}>{words.undoThis}</button>}
      {against?.force && <button type="button" disabled={busy} title={words.allTheSameWhat} onClick={() => void back(true)}>{words.allTheSame}</button>}
    </section>
  );
}

/** What is known of it without asking. */
function whyNever({ actor, at, op }: AuditEntry): string | undefined {
  if (actor !== myId.value) return words.notMine;
  if (!may("activity:write") || op === null) return words.noChange;
  return nowMs() / 1000 - at > KEPT_S ? words.tooOld : undefined;
}
