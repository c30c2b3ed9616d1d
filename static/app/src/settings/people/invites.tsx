/** Asking people in: by mail where there is a mail server, else by the link that is handed on. */
import { useState } from "preact/hooks";
import type { Invite, InvitesCreate } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { copy } from "../../ui/clipboard.ts";
import { exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.invites;
const w = s.invites;
const STATES = ["pending", "accepted", "expired", "revoked"] as const;

export function Page() {
  const [state, setState] = useState<(typeof STATES)[number]>("pending");
  const [made, setMade] = useState<readonly Invite[]>([]);
  const asked = useAsked(() => server.invites.list({ state }), state);
  const mayInvite = may("members:write");
  return (
    <Frame title={TITLE} what={WHAT} shut={mayInvite ? undefined : w.shut}>
      {mayInvite && <NewInvites onMade={setMade} />}
      {made.length > 0 && <Links made={made} />}
      <Section title={w.all}>
        <Told asked={asked}>{(all) => <Listed all={all} state={state} onState={setState} onSent={(one) => setMade([one])} shut={!mayInvite} />}</Told>
      </Section>
    </Frame>
  );
}

function NewInvites({ onMade }: { onMade: (made: readonly Invite[]) => void }) {
  const teams = useAsked(() => server.teams.list());
  const admin = may("admin");
  const roles = (admin ? (["member", "guest", "admin"] as const) : (["guest", "member"] as const)).map((value) => ({ value, title: s.roles[value] }));
  const projects = tables.project.all().filter((one) => one.archived_at === null).map(({ key, name }) => ({ value: key, title: name }));
  const fields: FormField[] = [
    { name: "emails", label: w.addresses, kind: "lines", required: true, placeholder: "ada@example.org", hint: w.addressesWhat },
    { name: "role", label: s.members.role, kind: "choice", choices: roles, hint: s.members.roleWhat },
    { name: "projects", label: w.projects, kind: "many", choices: projects, hint: w.projectsWhat },
    { name: "teams", label: w.teams, kind: "many", choices: (teams.data ?? []).filter((team) => !team.builtin).map(({ id, name }) => ({ value: String(id), title: name })) },
    { name: "message", label: w.message, kind: "area", max: 2000 },
  ];
  const send = async (_: Values, all: Values): Promise<void> => {
    const asked: InvitesCreate = {
      emails: lines(lines(all["emails"]).join()), // one a line, or several
      role: all["role"] as InvitesCreate["role"],
      projects: (all["projects"] ?? []) as string[],
      teams: ((all["teams"] ?? []) as string[]).map(Number),
      message: String(all["message"] ?? "") || null,
    };
    onMade(await act("invites.create", asked));
  };
  return <Form name="settings.invites" fields={fields} value={{ role: roles[0]!.value }} submit={w.send} onSave={send} />;
}

const linkOf = (one: Invite): string => one.url ?? new URL(one.path ?? "", location.origin).href;
const isOfThisMachine = (one: Invite): boolean => /^(?:localhost|127\.|\[::1\])/.test(new URL(linkOf(one)).hostname);

/** The links, this once: nobody can look them up later. */
function Links({ made }: { made: readonly Invite[] }) {
  return (
    <div class="running fresh" role="status">
      <p><strong>{w.made(made.length)}</strong> {w.madeWhat}</p>
      {made.some(isOfThisMachine) && <p>{w.onlyHere} <a href="/docs/operations-manual#so-that-others-reach-it" class="in-text">{w.toOthers}</a></p>}
      <ul class="plain-list">
        {made.map((one) => {
          const link = linkOf(one);
          return (
            <li class="bar" key={one.id}>
              <span class="grow"><strong>{one.email}</strong><br /><code>{link}</code></span>
              <button type="button" onClick={() => copy(link)}>{w.copy}</button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ListedProps {
  readonly all: readonly Invite[];
  readonly state: (typeof STATES)[number];
  readonly onState: (state: (typeof STATES)[number]) => void;
  readonly onSent: (one: Invite) => void;
  readonly shut: boolean;
}

function Listed({ all, state, onState, onSent, shut }: ListedProps) {
  const resend = async (id: number): Promise<void> => {
    const sent = await attempt("invites.resend", { id });
    if (sent) onSent(sent);
  };
  return (
    <Listing
      label={TITLE}
      things={all}
      idOf={(one) => one.id}
      wordsOf={(one) => one.email}
      empty={w.none[state]}
      filters={
        <select aria-label={s.state} value={state} onChange={(event) => onState(event.currentTarget.value as typeof state)}>
          {STATES.map((value) => <option key={value} value={value}>{w.states[value]}</option>)}
        </select>
      }
      columns={[
        { title: w.address, of: (one) => <strong>{one.email}</strong>, kind: "wide" },
        { title: s.members.role, of: (one) => (s.roles as Readonly<Record<string, string>>)[one.role] ?? one.role },
        { title: w.projects, of: (one) => one.projects.join(", ") },
        { title: s.by, of: (one) => tables.member.watch(one.invited_by)?.name ?? one.invited_by },
        { title: state === "pending" ? w.ends : s.at, of: (one) => <time title={exactly(one.expires_at)}>{state === "pending" ? w.until(one.expires_at) : when(one.created_at)}</time> },
        {
          title: s.acts,
          kind: "acts",
          of: (one) => !shut && (
            <span class="bar">
              {(one.state === "pending" || one.state === "expired") && <button type="button" aria-label={w.resendTo(one.email)} onClick={() => void resend(one.id)}>{w.resend}</button>}
              {one.state === "pending" && <button type="button" aria-label={w.withdrawOf(one.email)} onClick={() => void attempt("invites.revoke", { id: one.id }, { said: w.withdrawn(one.email) })}>{w.withdraw}</button>}
            </span>
          ),
        },
      ]}
    />
  );
}
