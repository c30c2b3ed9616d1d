/** Who is here: found by words, by role and by whether they are still here. */
import { useState } from "preact/hooks";
import type { Member } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { Avatar } from "../../ui/icons.tsx";
import { exactly, when } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { MemberDialog } from "./member.tsx";

const [TITLE, WHAT] = s.places.members;
const w = s.members;
type State = "active" | "deactivated" | "all";

export function Page() {
  const [state, setState] = useState<State>("active");
  const [role, setRole] = useState("");
  const [open, setOpen] = useState<string>();
  const asked = useAsked(() => everybody(state), state, tables.member.moved.value);
  const shut = onlyAdmins();
  const chosen = asked.data?.find((member) => member.id === open);
  return (
    <Frame title={TITLE} what={WHAT} shut={shut} acts={<a data-in class="button" href="/settings/invites">{w.invite}</a>}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all.filter((member) => !role || member.role === role)}
            idOf={(member) => member.id}
            wordsOf={(member) => `${member.name} ${member.handle} ${member.email ?? ""} ${member.title ?? ""}`}
            faint={(member) => member.state !== "active"}
            empty={w.none}
            filters={
              <>
                <select aria-label={w.role} value={role} onChange={(event) => setRole(event.currentTarget.value)}>
                  <option value="">{w.anyRole}</option>
                  {Object.entries(s.roles).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
                </select>
                <select aria-label={s.state} value={state} onChange={(event) => setState(event.currentTarget.value as State)}>
                  {(["active", "deactivated", "all"] as const).map((value) => <option key={value} value={value}>{w.states[value]}</option>)}
                </select>
              </>
            }
            columns={[
              { title: s.name, of: (member) => <Name member={member} onOpen={setOpen} />, kind: "wide" },
              { title: w.role, of: (member) => (s.roles as Readonly<Record<string, string>>)[member.role] ?? member.role },
              { title: w.teams, of: (member) => member.teams.length || "" },
              { title: w.factor, of: (member) => (member.two_factor === null ? "" : member.two_factor ? <span class="tag good">{s.on}</span> : <span class="tag">{s.off}</span>) },
              { title: w.seen, of: (member) => (member.last_seen_at === null ? w.never : <time title={exactly(member.last_seen_at)}>{when(member.last_seen_at)}</time>) },
              { title: s.state, of: (member) => (member.state === "active" ? (member.guest_until ? w.until(when(member.guest_until)) : "") : <span class="tag">{w.are[member.state]}</span>) },
            ]}
          />
        )}
      </Told>
      {chosen && <MemberDialog member={chosen} shut={shut} onClose={() => setOpen(undefined)} />}
    </Frame>
  );
}

function Name({ member, onOpen }: { member: Member; onOpen: (id: string) => void }) {
  return (
    <span class="bar">
      <Avatar id={member.id} name={member.name} agent={member.kind === "agent"} />
      <span class="grow">
        <button type="button" class="name" dir="auto" onClick={() => onOpen(member.id)}>{member.name}</button>
        <span class="meta under">{[`@${member.handle}`, member.email, member.title].filter(Boolean).join(" · ")}</span>
      </span>
    </span>
  );
}

async function everybody(state: State): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of server.every("members.list", { state, limit: 200 })) found.push(member);
  return found;
}
