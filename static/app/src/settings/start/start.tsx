/** What makes it a place where a team works: each step ticks itself once it is so. */
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { may, me, myId } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { Icon } from "../../ui/icons.tsx";
import { go } from "../../ui/router.ts";
import { useAsked } from "../parts/asked.ts";
import { command } from "../parts/command.ts";
import { Page as Frame, Section, Told } from "../parts/page.tsx";
import { DeleteProject } from "../work/delete_project.tsx";
import { s } from "../texts.ts";
import { isDismissed, setDismissed } from "./dismissed.ts";

const [TITLE, WHAT] = s.places.start;
const w = s.start;
const SAMPLE = "SAMPLE";

interface Step {
  readonly id: keyof typeof w.steps;
  readonly done: boolean;
  readonly act: string | (() => void);
  /** Only admins can do it. */
  readonly admin?: boolean;
}

export function Page() {
  const asked = useAsked(howFar);
  const [gone, setGone] = useState(isDismissed);
  const dismiss = (): void => {
    setDismissed(!gone);
    setGone(!gone);
  };
  return (
    <Frame
      title={TITLE}
      what={WHAT}
      acts={<button type="button" class="plain" onClick={dismiss}>{gone ? w.showAgain : w.dismiss}</button>}
    >
      {gone ? <p class="none">{w.dismissed}</p> : <Told asked={asked}>{(far) => <Steps far={far} />}</Told>}
      {tables.project.watch(SAMPLE) && may("admin") && (
        <Section title={w.sample} what={w.sampleWhat}>
          <div class="bar"><a data-in href={`/projects/${SAMPLE}/board`} class="in-text">{w.sampleLook}</a></div>
          <DeleteProject project={SAMPLE} label={w.sampleRemove} />
        </Section>
      )}
    </Frame>
  );
}

interface Far {
  readonly invited: boolean;
  readonly connected: boolean;
  readonly backedUp: boolean;
  readonly secured: boolean;
}

/** What is not among what the app keeps. */
async function howFar(): Promise<Far> {
  const admin = may("admin");
  const [self, invites, keys, grants, backups] = await Promise.all([
    server.members.get({ id: "me" }),
    may("members:read") ? server.invites.list() : [],
    may("keys:read") ? server.keys.list(admin ? { all: true } : {}) : [],
    server.auth.grants(),
    admin ? server.backups.list() : undefined,
  ]);
  return {
    invited: invites.length > 0,
    connected: grants.length > 0 || keys.some((key) => key.state === "active" || key.state === "rotating"),
    backedUp: backups !== undefined && (backups.schedule.every !== "off" || backups.items.length > 0),
    secured: self.two_factor === true || (me.value?.proofs ?? []).includes("passkey"),
  };
}

function Steps({ far }: { far: Far }) {
  const others = tables.member.all().filter((member) => member.id !== myId.value && member.state !== "erased").length;
  const all: Step[] = [
    { id: "project", done: tables.project.all().length > 0, act: () => command("new-project") },
    { id: "issue", done: tables.issue.all().length > 0, act: () => command(tables.project.size ? "create" : "new-project") },
    { id: "people", done: others > 0 || far.invited, act: "/settings/invites" },
    { id: "program", done: far.connected, act: "/connect" },
    { id: "secure", done: far.secured, act: "/account" },
    { id: "backup", done: far.backedUp, act: "/settings/backups", admin: true },
  ];
  const shown = all.filter((step) => !step.admin || may("admin"));
  const count = shown.filter((step) => step.done).length;
  return (
    <>
      <div class="bar"><progress max={shown.length} value={count} aria-label={w.progress(count, shown.length)} /><span class="meta cut-none">{w.progress(count, shown.length)}</span></div>
      <ol class="checks">
        {shown.map(({ id, done, act }) => (
          <li key={id} class={done ? "done" : ""}>
            <span class={`round${done ? " on" : ""}`}>{done && <Icon of="check" />}</span>
            <div class="grow">
              <strong>{w.steps[id].title}</strong>{done && <span class="hidden"> {w.isDone}</span>}
              <p class="meta">{w.steps[id].what}</p>
            </div>
            {!done && <button type="button" onClick={typeof act === "string" ? () => lead(act) : act}>{w.steps[id].act}</button>}
          </li>
        ))}
      </ol>
      <p class="meta">{w.orImport} <a data-in href="/settings/import">{w.importIt}</a></p>
    </>
  );
}

/** To a place of the app, or to a page of the server. */
function lead(path: string): void {
  if (path.startsWith("/settings/")) go(path);
  else location.assign(path);
}
