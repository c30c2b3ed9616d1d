/** Asking others to agree before an issue moves. Who was asked and agreed meanwhile: it moves at once. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { IssueTransition } from "@kbwork/client";
import { type Asking, dismiss } from "../issues/asked.ts";
import { flow, moveTo } from "../issues/edits.ts";
import { nameOf } from "../issues/marks.tsx";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { FormDialog } from "../ui/form_dialog.tsx";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { Sending } from "../store/sending.ts";
import { words } from "./texts.ts";

export function AskApproval({ asking }: { asking: Asking }) {
  const issue = tables.issue.watch(asking.issue);
  const lane = tables.lane.watch(asking.lane);
  const name = `ask.${asking.issue}.${asking.lane}`;
  const [note, setNote] = useState(() => draftOf(name));
  const [way, setWay] = useState<IssueTransition>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  const key = issue?.key ?? "";
  useEffect(() => {
    let late = false;
    server.issues.transitions({ key }).then(
      (ways) => {
        if (late) return;
        const there = ways.filter((one) => one.to_status === asking.lane);
        if (issue && there.some((one) => one.allowed)) {
          dismiss();
          moveTo([issue], asking.lane);
        } else setWay(there.find((one) => one.approvers.length));
      },
      (error: unknown) => late || setWrong(away(error) ? t.noAnswer : (error as Error).message),
    );
    return () => {
      late = true;
    };
  }, [key, asking.lane]);
  if (!issue) return null;
  const ask = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const sent = note.trim();
    const told = await sending.current.send("approvals.request", { key, to_status: asking.lane, ...(sent && { note: sent }) });
    setBusy(false);
    setWrong(told.wrong);
    if (!told.data) return;
    keepDraft(name, "");
    say(words.asked(key));
    dismiss();
  };
  const needed = flow(issue)?.transitions.find((one) => one.key === way?.transition)?.needed ?? 1;
  return (
    <FormDialog title={words.askTitle(key, lane?.name ?? asking.lane)} button={words.ask} busy={busy} wrong={wrong} onSend={ask} onClose={dismiss}>
      {way && <p>{words.who(way.approvers.map(called).join(", "), needed)}</p>}
      <label class="field">
        {words.why}
        <textarea
          rows={4}
          maxLength={2000}
          value={note}
          onInput={(event) => {
            setNote(event.currentTarget.value);
            keepDraft(name, event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void ask();
          }}
        />
      </label>
    </FormDialog>
  );
}

/** A member, a team, or whom a field holds. */
function called(ref: string): string {
  const [kind, rest = ""] = ref.split(":");
  if (kind === "team") return tables.team.get(Number(rest))?.name ?? ref;
  if (kind === "field") return tables.field.get(rest)?.name ?? rest;
  return nameOf(ref) ?? ref;
}
