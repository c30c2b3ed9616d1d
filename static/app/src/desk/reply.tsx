/** What there is for whoever answers a customer: canned replies, a time at which the answer goes, and where the request goes then. */
import type { CannedReply } from "@kbwork/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { choose } from "../issues/asked.ts";
import { columns } from "../issues/lanes.ts";
import { leads } from "../issues/edits.ts";
import { byKey } from "../issues/cursor.ts";
import { nowMs, today } from "../store/clock.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import type { Proposal } from "../talk/proposals.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { moment, t } from "../ui/texts.ts";
import { w } from "./texts.ts";

export interface ReplyPlan {
  /** When it goes, in Unix seconds; undefined: now. */
  readonly at?: number | undefined;
  /** The lane that the request goes to then. */
  readonly status?: string | undefined;
}

interface ToolsProps {
  /** Key of the request. */
  readonly of: string;
  readonly plan: ReplyPlan;
  readonly onPlan: (plan: ReplyPlan) => void;
  /** What is to stand behind what was written. */
  readonly onText: (text: string) => void;
  /** What is proposed behind a slash. */
  readonly onOffers: (offers: (text: string) => Proposal[]) => void;
}

const MINUTE_MS = 60_000;

export function ReplyTools({ of: key, plan, onPlan, onText, onOffers }: ToolsProps) {
  const [replies, setReplies] = useState<readonly CannedReply[]>([]);
  const [other, setOther] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const id = byKey(key);
  const issue = id === undefined ? undefined : tables.issue.watch(id);
  const project = issue?.project;
  useEffect(() => {
    if (project) server.desk.replies({ project }).then(setReplies, () => undefined); // one writes on without
  }, [project]);
  useEffect(() => onOffers((text) => offered(replies, text, key)), [replies]);
  useEffect(() => {
    if (other) box.current?.focus();
  }, [other]);
  const ways = issue ? columns.value.filter((lane) => lane.key !== issue.lane && leads(issue, lane)) : [];
  const insert = async (id: number): Promise<void> => {
    try {
      onText((await server.desk.reply_render({ id, key })).text);
    } catch (error) {
      say(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  const askReply = (at: Element): void => {
    if (!replies.length) return say(w.noCanned);
    choose({ label: w.canned, at, options: replies.map(({ id, name, folder, shortcut }) => ({ title: `${folder ? `${folder}: ` : ""}${name}${shortcut ? ` /${shortcut}` : ""}`, run: () => void insert(id) })) });
  };
  const askTime = (at: Element): void => {
    const some = moments().map(([title, time]) => ({ title, on: plan.at === time, run: () => onPlan({ ...plan, at: time }) }));
    choose({ label: w.later, at, options: [...(plan.at ? [{ title: w.now, run: () => onPlan({ ...plan, at: undefined }) }] : []), ...some, { title: w.other, run: () => setOther(true) }] });
  };
  return (
    <div class="tools">
      <button type="button" onClick={(event) => askReply(event.currentTarget)}><Icon of="comment" />{w.canned}</button>
      {other ? (
        <input
          ref={box}
          type="datetime-local"
          aria-label={w.laterAt}
          min={local(nowMs() + MINUTE_MS)}
          onChange={({ currentTarget: { value } }) => {
            if (value) onPlan({ ...plan, at: Math.floor(new Date(value).getTime() / 1000) });
          }}
          onBlur={() => setOther(false)}
        />
      ) : (
        <button type="button" aria-haspopup="dialog" onClick={(event) => askTime(event.currentTarget)}>
          {plan.at === undefined ? w.later : <span class="goes">{w.goes(moment(plan.at))}</span>}
        </button>
      )}
      {ways.length > 0 && (
        <label class="bar meta">
          {w.then}
          <select value={plan.status ?? ""} onChange={(event) => onPlan({ ...plan, status: event.currentTarget.value || undefined })}>
            <option value="">{w.stays}</option>
            {ways.map((lane) => <option key={lane.key} value={lane.key}>{w.moves(lane.name)}</option>)}
          </select>
        </label>
      )}
    </div>
  );
}

/** By the shortcut, or by how the name begins; the text comes when it is taken, with its places filled in. */
function offered(replies: readonly CannedReply[], text: string, key: string): Proposal[] {
  const typed = text.toLocaleLowerCase();
  const fits = ({ name, shortcut }: CannedReply): boolean => [shortcut ?? "", ...name.split(/\s+/)].some((one) => one !== "" && one.toLocaleLowerCase().startsWith(typed));
  return replies.filter(fits).map(({ id, name, shortcut }) => ({
    title: name, hint: shortcut ? `/${shortcut}` : w.canned, length: text.length + 1, insert: "",
    comes: async () => (await server.desk.reply_render({ id, key })).text,
  }));
}

/** Times that one means mostly, in the person's own zone; those that passed are left out. */
function moments(): [string, number][] {
  const at = (days: number, hour: number): number => {
    const date = today();
    date.setDate(date.getDate() + days);
    date.setHours(hour, 0, 0, 0);
    return date.getTime() / 1000;
  };
  const now = nowMs();
  const hour = Math.ceil((now + 60 * MINUTE_MS) / MINUTE_MS) * 60;
  const monday = (8 - today().getDay()) % 7 || 7;
  const all: [string, number][] = [[w.times.hour, hour], [w.times.evening, at(0, 18)], [w.times.morning, at(1, 9)], ...(monday > 1 ? [[w.times.monday, at(monday, 9)] as [string, number]] : [])];
  return all.filter(([, time]) => time * 1000 > now);
}

/** As a field for a moment takes it. */
function local(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
