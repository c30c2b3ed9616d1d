/** Teams: who is in them, who leads them, and which stand under which. */
import type { Team, TeamsSave } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may, myId } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Section, Sure } from "../parts/page.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { Cadence } from "../work/cadence.tsx";

const [TITLE, WHAT] = s.places.teams;
const w = s.teams;

export function Page() {
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={may("members:write") ? undefined : w.shut}
      make={w.new}
      empty={w.none}
      ask={() => server.teams.list()}
      idOf={(team) => team.id}
      wordsOf={(team) => `${team.name} ${team.handle} ${team.description}`}
      aside={(team) => `@${team.handle}`}
      columns={(all) => [
        { title: w.members, of: (team) => team.members.length, kind: "number" },
        { title: w.leads, of: (team) => team.members.filter((one) => one.role === "lead").map(({ who }) => tables.member.watch(who)?.name ?? who).join(", ") },
        { title: w.under, of: (team) => all.find((one) => one.id === team.parent)?.name ?? "" },
        { title: w.open, of: (team) => (team.open ? s.yes : "") },
      ]}
      dialog={({ thing, all, onClose }) => <TeamDialog team={thing} all={all} onClose={onClose} />}
    />
  );
}

interface TeamProps {
  readonly team: Team | undefined;
  readonly all: readonly Team[];
  readonly onClose: () => void;
}

function TeamDialog({ team, all, onClose }: TeamProps) {
  const leads = may("admin") || team === undefined || team.members.some((one) => one.who === myId.value && one.role === "lead");
  const shut = team?.builtin ? w.builtin : leads ? undefined : w.onlyLeads;
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "handle", label: w.handle, hint: w.handleWhat },
    { name: "description", label: s.description, kind: "area" },
    { name: "parent", label: w.under, kind: "choice", choices: [{ value: "", title: s.none }, ...all.filter((one) => !one.builtin && one.id !== team?.id).map(({ id, name }) => ({ value: String(id), title: name }))] },
    { name: "open", label: w.openWhat, kind: "check" },
  ];
  const value = { name: team?.name ?? "", handle: team?.handle ?? "", description: team?.description ?? "", parent: team?.parent == null ? "" : String(team.parent), open: team?.open ?? false };
  return (
    <Dialog title={team?.name ?? w.new} onClose={onClose}>
      {shut && <p class="reason">{shut}</p>}
      <Form
        name={`settings.teams.${team?.id ?? "new"}`}
        fields={fields}
        value={value}
        submit={team ? s.save : s.make}
        shut={shut}
        onSave={async ({ parent, ...changes }, { name }) => {
          const input = { ...changes, ...(parent !== undefined && { parent: parent ? Number(parent) : null }), name, ...(team && { id: team.id }) };
          await act("teams.save", input as TeamsSave, { said: team ? w.changed(String(name)) : w.made(String(name)), undo: true });
          if (!team) onClose();
        }}
      />
      {team && <Members team={team} shut={shut} />}
      {team && !team.builtin && <Cadence of={{ team: team.id }} shut={shut} />}
      {team && !team.builtin && may("admin") && (
        <Section title={w.delete}>
          <Sure title={w.delete} what={w.deleteWhat} yes={w.delete} onYes={() => void attempt("teams.delete", { id: team.id }, { said: w.deleted(team.name) }).then((done) => done && onClose())} />
        </Section>
      )}
    </Dialog>
  );
}

function Members({ team, shut }: { team: Team; shut: string | undefined }) {
  const inside = new Set(team.members.map(({ who }) => who));
  const others = tables.member.all().filter((one) => one.state === "active" && !inside.has(one.id)).sort((one, other) => compare(one.name, other.name));
  const set = (who: string, role: "lead" | "member" | "none"): void => void attempt("teams.member_set", { id: team.id, who, role });
  return (
    <Section title={w.members}>
      <ul class="plain-list">
        {team.members.map(({ who, role }) => {
          const name = tables.member.watch(who)?.name ?? who;
          return (
            <li class="bar" key={who}>
              <span class="grow" dir="auto">{name}</span>
              <select aria-label={w.roleOf(name)} value={role} disabled={shut !== undefined} onChange={(event) => set(who, event.currentTarget.value as "lead" | "member" | "none")}>
                <option value="lead">{w.lead}</option>
                <option value="member">{w.member}</option>
                <option value="none">{w.takeOut}</option>
              </select>
            </li>
          );
        })}
        {!team.members.length && <li class="none">{w.nobody}</li>}
      </ul>
      {!shut && (
        <select aria-label={w.add} value="" onChange={(event) => set(event.currentTarget.value, "member")}>
          <option value="">{w.add}</option>
          {others.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
        </select>
      )}
    </Section>
  );
}
