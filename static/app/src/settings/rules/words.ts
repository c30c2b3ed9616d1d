/** What a rule says, in words. */
import type { AutomationRule } from "@kbwork/client";
import { w } from "./texts.ts";

export const KINDS = ["event", "schedule", "button", "hook", "state"] as const;

export type TriggerKind = (typeof KINDS)[number];

export function triggerInWords({ kind, event, every, zone, label, minutes, tql }: AutomationRule["trigger"]): string {
  const said = {
    event: w.inWords.event(event ?? ""),
    schedule: w.inWords.schedule(every ?? "", zone ?? ""),
    button: w.inWords.button(label ?? ""),
    state: w.inWords.state(minutes ?? 0),
    hook: w.inWords.hook,
  }[kind];
  return tql ? `${said} ${w.inWords.fits(tql)}` : said;
}
