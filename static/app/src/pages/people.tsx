/** Choosing people and teams, each by a name in a list. */
import { useRef, useState } from "preact/hooks";
import { nameOf, Who } from "../issues/marks.tsx";
import { people } from "../issues/field_choices.tsx";
import { tables } from "../store/tables.ts";
import { Icon } from "../ui/icons.tsx";
import { type Option, Picker } from "../ui/picker.tsx";
import { compare } from "../ui/texts.ts";
import { words } from "./texts.ts";

/** Members, and teams as `team:<id>`. */
export function everybody(): Option<string>[] {
  const teams = tables.team.all().sort((one, other) => compare(one.name, other.name));
  return [...people().filter(({ value }) => value), ...teams.map(({ id, name, handle }) => ({ value: `team:${id}`, title: name, hint: `@${handle}` }))];
}

export function called(who: string): string {
  const [, team] = /^team:(\d+)$/.exec(who) ?? [];
  return (team ? tables.team.watch(Number(team))?.name : nameOf(who)) ?? who;
}

interface PeopleProps {
  readonly label: string;
  /** What it means that nobody is there. */
  readonly none: string;
  readonly whos: readonly string[];
  readonly onChange: (whos: readonly string[]) => void;
}

export function People({ label, none, whos, onChange }: PeopleProps) {
  const [asks, setAsks] = useState(false);
  const at = useRef<HTMLButtonElement>(null);
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="bar wraps">
        {!whos.length && <span class="meta">{none}</span>}
        {whos.map((who) => (
          <span class="chip" key={who}>
            {!who.startsWith("team:") && <Who id={who} />} {called(who)}
            <button type="button" class="mini" aria-label={words.without(called(who))} title={words.without(called(who))} onClick={() => onChange(whos.filter((one) => one !== who))}>
              <Icon of="close" />
            </button>
          </span>
        ))}
        <button type="button" class="chip" ref={at} aria-label={`${label}: ${words.addPerson}`} onClick={() => setAsks(true)}><Icon of="plus" />{words.addPerson}</button>
      </div>
      {asks && (
        <Picker
          label={words.addPerson}
          at={at.current}
          options={everybody().filter(({ value }) => !whos.includes(value))}
          chosen={[]}
          most={50}
          onChoose={(who) => onChange([...whos, who])}
          onClose={() => setAsks(false)}
        />
      )}
    </fieldset>
  );
}
