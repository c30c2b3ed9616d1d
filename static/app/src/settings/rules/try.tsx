/** A rule that is run by hand; one that goes by what happens only says what it would have done. */
import { signal } from "@preact/signals";
import type { AutomationLogEntry, AutomationRule } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { attempt } from "../parts/act.ts";
import { w } from "./texts.ts";

/** What came of it last, which is shown at that rule. */
export const came = signal<AutomationLogEntry | undefined>(undefined);

const isTrial = ({ trigger: { kind } }: AutomationRule): boolean => kind === "event" || kind === "state";

export function RunNow({ of, short = false }: { of: AutomationRule; short?: boolean }) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt("automation.run", { id: of.id });
    const entry = done && (await server.automation.log({ rule: of.id })).find((one) => one.id === done.log);
    setBusy(false);
    came.value = entry;
    if (entry && short) say(entry.message);
  };
  const title = isTrial(of) ? w.try : w.run;
  return <button type="button" disabled={busy} aria-label={short ? w.runOf(of.name) : undefined} onClick={() => void run()}>{short && of.trigger.label ? of.trigger.label : title}</button>;
}

export function Came({ of }: { of: AutomationRule }) {
  const entry = came.value?.rule === of.id ? came.value : undefined;
  if (!entry) return <div role="status" />;
  return (
    <div class="running" role="status">
      <p><strong>{isTrial(of) ? w.tried : w.ran}</strong></p>
      <p class={entry.ok ? "" : "wrong"} dir="auto">{entry.message}</p>
    </div>
  );
}
