/** One member: what they may do, what they are called, which projects they see, and what happens when they leave. */
import { useState } from "preact/hooks";
import type { Member, MembersUpdate } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { me } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare, exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.members;
const ROLES = ["admin", "member", "guest"] as const;

interface MemberProps {
  readonly member: Member;
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

export function MemberDialog({ member, shut, onClose }: MemberProps) {
  const fields: FormField[] = [
    { name: "role", label: w.role, kind: "choice", choices: [...(member.role === "owner" ? (["owner"] as const) : []), ...ROLES].map((value) => ({ value, title: s.roles[value] })), hint: w.roleWhat, fixed: member.role === "owner" },
    { name: "name", label: s.name, max: 500 },
    { name: "email", label: w.email, kind: "email" },
    { name: "guest_until", label: w.guestUntil, kind: "time", hint: w.guestUntilWhat, when: (all) => all["role"] === "guest" },
  ];
  return (
    <Dialog title={member.name} onClose={onClose}>
      {shut && <p class="reason">{shut}</p>}
      {member.state === "erased" ? <p class="none">{w.are.erased}</p> : (
        <Form
          name={`settings.members.${member.id}`}
          fields={fields}
          value={valuesOf(member)}
          fresh={async () => valuesOf(await server.members.get({ id: member.id }))}
          submit={s.save}
          shut={shut}
          onSave={(changes) => act("members.update", { id: member.id, ...update(changes) }, { said: w.changed(member.name) })}
        />
      )}
      {member.role === "guest" && <Projects member={member} />}
      {!shut && <Sessions member={member} />}
      {!shut && member.state !== "erased" && member.id !== me.value?.member.id && <Leaving member={member} onClose={onClose} />}
      {!shut && member.state !== "erased" && member.id !== me.value?.member.id && <ForGood member={member} onClose={onClose} />}
    </Dialog>
  );
}

function valuesOf(member: Member): Values {
  const until = member.guest_until === null ? null : new Date(member.guest_until * 1000).toISOString().slice(0, 10);
  return { role: member.role, name: member.name, email: member.email, guest_until: until };
}

function update(changes: Values): Omit<MembersUpdate, "id"> {
  const { guest_until: until, ...rest } = changes;
  if (until === undefined) return rest as Omit<MembersUpdate, "id">;
  return { ...rest, guest_until: until ? Date.parse(`${String(until)}T23:59:59Z`) / 1000 : null } as Omit<MembersUpdate, "id">;
}

/** A guest sees the projects where they have a role, and no others. */
function Projects({ member }: { member: Member }) {
  const asked = useAsked(async () => {
    const keys = tables.project.all().filter((project) => project.archived_at === null).map((project) => project.key);
    const found = await Promise.all(keys.map(async (key) => [key, await server.projects.members({ key })] as const));
    return found.flatMap(([key, people]) => people.filter((one) => one.who === member.id).map(({ role }) => ({ key, role })));
  }, tables.project.moved.value);
  return (
    <Section title={w.sees} what={w.seesWhat}>
      <Told asked={asked}>
        {(found) =>
          found.length ? (
            <ul>{found.map(({ key, role }) => <li key={key}><a data-in class="in-text" href={`/settings/projects/${key}`}>{tables.project.get(key)?.name ?? key}</a> <span class="meta">{s.projects.roles[role]}</span></li>)}</ul>
          ) : <p class="none">{w.seesNone}</p>
        }
      </Told>
    </Section>
  );
}

function Sessions({ member }: { member: Member }) {
  const asked = useAsked(() => server.auth.sessions({ member: member.id }));
  return (
    <Section title={w.sessions}>
      <Told asked={asked}>
        {(all) => (all.length ? (
          <ul class="plain-list">
            {all.map((one) => (
              <li class="bar" key={one.id}>
                <span class="grow" dir="auto">{one.client} <span class="meta">{one.address} · <time title={exactly(one.last_seen_at)}>{when(one.last_seen_at)}</time></span></span>
                {!one.current && <button type="button" onClick={() => void attempt("auth.session_revoke", { id: one.id }, { said: w.sessionEnded })}>{w.endSession}</button>}
              </li>
            ))}
          </ul>
        ) : <p class="none">{w.noSessions}</p>)}
      </Told>
    </Section>
  );
}

function Leaving({ member, onClose }: { member: Member; onClose: () => void }) {
  const [to, setTo] = useState("");
  const gone = member.state === "deactivated";
  const others = tables.member.all().filter((one) => one.state === "active" && one.id !== member.id).sort((one, other) => compare(one.name, other.name));
  const turn = async (): Promise<void> => {
    const said = gone ? w.cameBack(member.name) : w.left(member.name);
    if (await attempt("members.deactivate", { id: member.id, on: !gone, ...(to && !gone ? { transfer_to: to } : {}) }, { said })) onClose();
  };
  return (
    <Section title={gone ? w.bringBack : w.deactivate} what={gone ? w.bringBackWhat : w.deactivateWhat}>
      <div class="bar filters">
        {!gone && (
          <select aria-label={w.transferTo} value={to} onChange={(event) => setTo(event.currentTarget.value)}>
            <option value="">{w.keepsWork}</option>
            {others.map((one) => <option key={one.id} value={one.id}>{w.goesTo(one.name)}</option>)}
          </select>
        )}
        <button type="button" class={gone ? "" : "danger"} onClick={() => void turn()}>{gone ? w.bringBack : w.deactivate}</button>
      </div>
    </Section>
  );
}

/** What is done once: handing the org over, and erasing somebody who left. */
function ForGood({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, name } = member;
  if (member.state === "active") {
    if (me.value?.role !== "owner" || member.role === "guest") return null;
    const handOver = async (): Promise<void> => {
      if (await attempt("members.owner_transfer", { to: id }, { said: w.isOwner(name) })) location.reload();
    };
    return <Section title={w.makeOwner}><Sure title={w.makeOwner} what={w.makeOwnerWhat} yes={w.makeOwnerYes} onYes={() => void handOver()} /></Section>;
  }
  return (
    <Section title={w.erase} what={w.eraseWhat}>
      <Form
        name={`settings.members.${id}.erase`}
        fields={[{ name: "confirm_name", label: w.typeName(name), required: true }]}
        value={{}}
        submit={w.erase}
        onSave={async (_, all) => {
          await act("members.erase", { id, confirm_name: String(all["confirm_name"] ?? "") }, { said: w.erasing(name) });
          onClose();
        }}
      />
    </Section>
  );
}
