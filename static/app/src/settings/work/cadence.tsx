/** Sprints that make themselves, of a project or of a team. */
import type { SprintsCadenceSet } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { act } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.cadence;
/** Nothing is made by itself yet: what is proposed. */
const USUAL: Values = { weeks: 0, starts_on: "1", ahead: 1, auto_start: false, auto_complete: false, carry: "next" };

interface CadenceProps {
  readonly of: { readonly project: string } | { readonly team: number };
  readonly shut: string | undefined;
}

export function Cadence({ of, shut }: CadenceProps) {
  const whose = "team" in of ? `team.${of.team}` : of.project;
  const asked = useAsked(() => cadenceOf(of), whose, tables.sprint.moved.value);
  if (!may("sprints:read")) return null;
  const isOn = ({ weeks }: Values): boolean => Number(weeks) > 0;
  const fields: FormField[] = [
    { name: "weeks", label: w.weeks, kind: "number", hint: w.weeksWhat },
    { name: "starts_on", label: w.startsOn, kind: "choice", choices: Array.from({ length: 7 }, (_, at) => ({ value: String(at), title: weekday(at) })), when: isOn },
    { name: "ahead", label: w.ahead, kind: "number", when: isOn },
    { name: "auto_start", label: w.autoStart, kind: "check", when: isOn },
    { name: "auto_complete", label: w.autoComplete, kind: "check", when: isOn },
    { name: "carry", label: w.carry, kind: "choice", choices: Object.entries(w.carries).map(([value, title]) => ({ value, title })), when: isOn },
  ];
  return (
    <Section title={w.title} what={w.what}>
      <Told asked={asked}>
        {(value) => (
          <Form
            name={`settings.cadence.${whose}`}
            fields={fields}
            value={value}
            fresh={() => cadenceOf(of)}
            submit={s.save}
            shut={shut}
            onSave={(_, { starts_on, weeks, ...rest }) => act("sprints.cadence_set", { ...of, ...rest, weeks: Number(weeks), starts_on: Number(starts_on) } as SprintsCadenceSet, { said: Number(weeks) ? w.set : w.ended })}
          />
        )}
      </Told>
    </Section>
  );
}

/** As the sprints say that were made by it: there is one that is planned, always. */
async function cadenceOf(of: CadenceProps["of"]): Promise<Values> {
  const all = await server.sprints.list(of);
  // Of a project's those of a team are made by that one's.
  const found = all.find(({ cadence, team }) => cadence !== null && ("team" in of ? team === of.team : team === null))?.cadence;
  return found ? { ...found, starts_on: String(found.starts_on) } : USUAL;
}

/** 0 is Sunday. */
function weekday(at: number): string {
  return new Date(2023, 0, 1 + at).toLocaleDateString(navigator.language, { weekday: "long" });
}
