/** How somebody is told of things. Each change is kept at once. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type In, Problem, type NotificationSettings } from "@kbwork/client";
import { act } from "../issue/act.ts";
import { away, server } from "../store/server.ts";
import { subscription } from "../store/pushes.ts";
import { tables } from "../store/tables.ts";
import { Line } from "../ui/line.tsx";
import { say } from "../ui/notes.tsx";
import { compare, t } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { subscribe, unsubscribe } from "./push.ts";
import { REASONS, type Reason } from "./reasons.ts";
import { setting, words } from "./texts.ts";

type Change = In<"notifications.settings_set">;
type Channel = "inbox" | "mail" | "push";
const CHANNELS: readonly Channel[] = ["inbox", "mail", "push"];

interface FormProps {
  readonly now: NotificationSettings;
  readonly onChange: (change: Change) => void;
}

export function Settings() {
  const [now, setNow] = useState<NotificationSettings>();
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    server.notifications.settings().then(setNow, (error: unknown) => setWrong(away(error) ? words.wrong : (error as Error).message));
  }, []);
  const asked = useRef(0);
  /** Shown at once: whoever turns two of them does not take the first one back with the second. */
  const change = async (input: Change): Promise<void> => {
    const turn = ++asked.current;
    setNow((before) => before && shownWith(before, input));
    const found = await act(setting.title, "notifications.settings_set", input);
    if (found) say(setting.saved);
    const is = found ?? (await server.notifications.settings().catch(() => undefined)); // refused: as it was
    if (is && turn === asked.current) setNow(is);
  };
  return (
    <>
      <TopBar title={setting.title}>
        <span class="grow" />
        <a class="plain-link" data-in href="/inbox">{words.toInbox}</a>
      </TopBar>
      <div class="page told">
        {wrong && <p class="wrong pad">{wrong}</p>}
        {!now && !wrong && <p class="meta pad late-word">{t.loading}</p>}
        {now && (
          <>
            <Channels now={now} onChange={(input) => void change(input)} />
            <Letters now={now} onChange={(input) => void change(input)} />
            <Quiet now={now} onChange={(input) => void change(input)} />
            <Dates now={now} onChange={(input) => void change(input)} />
            <Projects now={now} onChange={(input) => void change(input)} />
            <Muted now={now} onMuted={(muted) => setNow({ ...now, muted })} />
            <Devices now={now} onDone={() => void server.notifications.settings().then(setNow)} />
          </>
        )}
      </div>
    </>
  );
}

/** How they look with a change until the server says how they are. */
function shownWith(now: NotificationSettings, change: Change): NotificationSettings {
  const shown = { ...now, ...(change as Partial<NotificationSettings>) };
  return { ...shown, channels: { ...now.channels, ...(change.channels as NotificationSettings["channels"] | undefined) } };
}

function Channels({ now, onChange }: FormProps) {
  const turn = (reason: Reason, channel: Channel, on: boolean): void => {
    const before = now.channels[reason] ?? [];
    // What is not even in the inbox is told by no way at all.
    const ways = channel === "inbox" && !on ? [] : on ? [...before, channel] : before.filter((one) => one !== channel);
    onChange({ channels: { [reason]: ways } });
  };
  return (
    <section aria-label={setting.channels}>
      <h2>{setting.channels}</h2>
      <p class="meta">{setting.what}</p>
      <table>
        <thead>
          <tr><td />{CHANNELS.map((channel) => <th key={channel} scope="col">{setting.channel[channel]}</th>)}</tr>
        </thead>
        <tbody>
          {(Object.keys(REASONS) as Reason[]).map((reason) => (
            <tr key={reason}>
              <th scope="row">{REASONS[reason]}</th>
              {CHANNELS.map((channel) => (
                <td key={channel}>
                  <input
                    type="checkbox"
                    aria-label={`${REASONS[reason]}: ${setting.channel[channel]}`}
                    checked={now.channels[reason]?.includes(channel) ?? false}
                    onChange={(event) => turn(reason, channel, event.currentTarget.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Letters({ now, onChange }: FormProps) {
  return (
    <section aria-label={setting.letters}>
      <h2>{setting.letters}</h2>
      <p class="bar wraps">
        <select
          aria-label={setting.digest}
          value={now.digest}
          onChange={(event) => onChange({ digest: event.currentTarget.value as NotificationSettings["digest"] })}
        >
          {Object.entries(setting.digests).map(([name, title]) => <option key={name} value={name}>{title}</option>)}
        </select>
        {now.digest !== "off" && (
          <label>{setting.digestAt} <Line type="time" value={now.digest_at} onDone={(at) => onChange({ digest_at: at })} /></label>
        )}
        <Test channel="mail" />
      </p>
      {now.digest === "off" && (
        <label class="bar">
          <Line type="number"
            min={0}
            max={1440}
            aria-label={setting.delay}
            value={String(now.delay_minutes)} onDone={(minutes) => onChange({ delay_minutes: Number(minutes) || 0 })} />
          {setting.delay}
        </label>
      )}
    </section>
  );
}

function Test({ channel }: { channel: "mail" | "push" }) {
  const test = async (): Promise<void> => {
    try {
      say((await server.notifications.test({ channel })).detail);
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      say(away(error) ? t.noAnswer : (error as Problem).detail);
    }
  };
  return <button type="button" onClick={() => void test()}>{setting.test}</button>;
}

const USUAL_QUIET = { from: "20:00", to: "07:00" };

function Quiet({ now, onChange }: FormProps) {
  const quiet = now.quiet as { from: string; to: string; days: number[] } | null;
  const put = (part: Partial<{ from: string; to: string }>): void => onChange({ quiet: { ...(quiet ?? USUAL_QUIET), ...part } });
  return (
    <section aria-label={setting.quiet}>
      <h2>{setting.quiet}</h2>
      <p class="bar wraps">
        <label class="bar">
          <input type="checkbox" checked={quiet !== null} onChange={(event) => onChange({ quiet: event.currentTarget.checked ? USUAL_QUIET : null })} />
          {setting.quietWhat}
        </label>
        <Line type="time" aria-label={setting.quietWhat} disabled={!quiet} value={quiet?.from ?? USUAL_QUIET.from} onDone={(from) => put({ from })} />
        {setting.until}
        <Line type="time" aria-label={setting.until} disabled={!quiet} value={quiet?.to ?? USUAL_QUIET.to} onDone={(to) => put({ to })} />
      </p>
    </section>
  );
}

function Dates({ now, onChange }: FormProps) {
  const save = (text: string): void => {
    const days = text.split(/[\s,]+/).filter(Boolean).map(Number);
    if (days.every(Number.isInteger)) onChange({ due_before_days: days });
    else say(setting.dueWhat);
  };
  return (
    <section aria-label={setting.due}>
      <h2>{setting.due}</h2>
      <label class="field">
        <Line value={now.due_before_days.join(", ")} aria-label={setting.due} onDone={save} />
        <span class="meta">{setting.dueWhat}</span>
      </label>
    </section>
  );
}

function Projects({ now, onChange }: FormProps) {
  const projects = tables.project.all().sort((one, other) => compare(one.name, other.name));
  const turn = (key: string, on: boolean): void =>
    onChange({ own_projects: on ? [...now.own_projects, key] : now.own_projects.filter((one) => one !== key) });
  return (
    <section aria-label={setting.projects}>
      <h2>{setting.projects}</h2>
      <p class="meta">{setting.projectsWhat}</p>
      <ul>
        {projects.map(({ key, name }) => (
          <li key={key}>
            <label class="bar">
              <input type="checkbox" checked={now.own_projects.includes(key)} onChange={(event) => turn(key, event.currentTarget.checked)} />
              <span dir="auto">{name}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Muted({ now, onMuted }: { now: NotificationSettings; onMuted: (muted: NotificationSettings["muted"]) => void }) {
  const unmute = async (subject: string): Promise<void> => {
    const found = await act(setting.unmute, "notifications.mute", { subject, on: false });
    if (found) onMuted(found.muted);
  };
  return (
    <section aria-label={setting.muted}>
      <h2>{setting.muted}</h2>
      {!now.muted.length && <p class="meta">{setting.nothingMuted}</p>}
      <ul>
        {now.muted.map(({ subject }) => (
          <li key={subject} class="bar">
            <span class="grow" dir="auto">{titleOf(subject)}</span>
            <button type="button" onClick={() => void unmute(subject)}>{setting.unmute}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function titleOf(subject: string): string {
  const [kind, ref = ""] = subject.split(":");
  if (kind === "project") return tables.project.watch(ref)?.name ?? ref;
  const issue = tables.issue.watch(Number(ref));
  return issue ? `${issue.key} ${issue.title}` : subject;
}

function Devices({ now, onDone }: { now: NotificationSettings; onDone: () => void }) {
  const [found, setFound] = useState<PushSubscription | null>();
  useEffect(() => void subscription().then(setFound), []);
  const turn = async (): Promise<void> => {
    try {
      if (found) await unsubscribe(found);
      else await subscribe(now.push_key!);
    } catch (error) {
      say(away(error) ? t.noAnswer : (error as Error).message);
    }
    setFound(await subscription());
    onDone();
  };
  return (
    <section aria-label={setting.devices}>
      <h2>{setting.devices}</h2>
      <ul>{now.devices.map(({ device, added_at }) => <li key={`${device}-${added_at}`}>{device}</li>)}</ul>
      {found === undefined || !now.push_key ? (
        <p class="meta">{setting.noPush}</p>
      ) : (
        <p class="bar">
          <button type="button" onClick={() => void turn()}>{found ? setting.removeDevice : setting.addDevice}</button>
          {found && <Test channel="push" />}
        </p>
      )}
    </section>
  );
}
