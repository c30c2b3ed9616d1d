/** What becomes of the source's words: columns with their first rows, projects, types, statuses, people, and what stays out. */
import { useState } from "preact/hooks";
import type { Import, ImportsMapSet } from "@kbwork/client";
import { Problem } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { compare, number } from "../../ui/texts.ts";
import { act } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import type { Choice } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { COLUMN_FIELDS } from "./sources.ts";
import { sampleOf } from "./sample.ts";

const w = s.import;
const SKIPS = ["labels", "components", "comments", "relations", "attachments"] as const;
/** So many words of one kind are shown; the rest stays as proposed. */
const MOST = 200;

type Part = "projects" | "names" | "types" | "statuses" | "fields" | "members";
type Words = Readonly<Record<string, string | null>>;

interface Found {
  readonly projects?: readonly { id: string; name: string; issues: number }[];
  readonly types?: Readonly<Record<string, number>>;
  readonly statuses?: Readonly<Record<string, { count: number }>>;
  readonly people?: readonly { id: string; name: string; email: string | null; count: number }[];
  readonly fields?: Readonly<Record<string, { count: number; samples: readonly unknown[] }>>;
  readonly columns?: Readonly<Record<string, string>>;
}

export function Mapping({ one }: { one: Import }) {
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const own = useAsked(() => server.fields.list({ on: "issue" }));
  const found = one.found as Found;
  const table = Object.keys(found.columns ?? {}).length > 0;
  const words = (part: Part): Words => (one.mapping[part] ?? {}) as Words;
  const set = async (part: Part | "skip", change: Words | readonly string[], at: string): Promise<void> => {
    setBusy(true);
    setWrong(({ [at]: _, ...rest }) => rest);
    try {
      await act("imports.map_set", { id: one.id, [part]: change } as unknown as ImportsMapSet);
      if (part === "fields" && table) await act("imports.probe", { id: one.id });
    } catch (error) {
      const said = error instanceof Problem ? error.errors[0]?.message : undefined;
      setWrong((before) => ({ ...before, [at]: said ?? wordsOf(error) }));
    } finally {
      setBusy(false);
    }
  };
  const ownFields = (own.data ?? []).map((field) => ({ value: `field:${field.key}`, title: w.ownField(field.name) }));
  const part = { busy, wrong, set };
  const skip = (one.mapping["skip"] ?? []) as readonly string[];
  return (
    <>
      <Projects {...part} keys={words("projects")} names={words("names")} found={found.projects ?? []} />
      {table && <Columns {...part} id={one.id} now={words("fields")} own={ownFields} found={found} />}
      {!table && <WordList {...part} part="fields" title={w.fields} now={words("fields")} counts={countsOf(found.fields)} choices={[{ value: "", title: w.leaveOut }, ...ownFields]} />}
      <WordList {...part} part="statuses" title={w.statuses} now={words("statuses")} counts={countsOf(found.statuses)} choices={laneChoices()} />
      <WordList {...part} part="types" title={w.types} now={words("types")} counts={found.types ?? {}} choices={[{ value: "", title: w.defaultType }, ...typeChoices()]} />
      <WordList {...part} part="members" title={w.people} what={w.peopleWhat} now={words("members")} counts={Object.fromEntries((found.people ?? []).map((each) => [each.id, each.count]))} choices={memberChoices()} />
      <Section title={w.skip}>
        <div class="form">
          <div class="choices">
            {SKIPS.map((kind) => (
              <label key={kind}>
                <input
                  type="checkbox"
                  disabled={busy}
                  checked={!skip.includes(kind)}
                  onChange={(event) => void set("skip", event.currentTarget.checked ? skip.filter((each) => each !== kind) : [...skip, kind], "skip")}
                />
                {w.kinds[kind]}
              </label>
            ))}
          </div>
          {wrong["skip"] && <p class="wrong" role="alert">{wrong["skip"]}</p>}
        </div>
      </Section>
    </>
  );
}

interface PartProps {
  readonly busy: boolean;
  readonly wrong: Readonly<Record<string, string>>;
  readonly set: (part: Part, change: Words, at: string) => Promise<void>;
}

interface ProjectsProps extends PartProps {
  readonly keys: Words;
  readonly names: Words;
  readonly found: NonNullable<Found["projects"]>;
}

/** Where it all goes stands first: what is proposed, such as after the name of a file, is seldom what it is to be called. */
function Projects({ keys, names, found, busy, wrong, set }: ProjectsProps) {
  if (!found.length) return null;
  const here = new Map(tables.project.all().map((project) => [project.key, project.name]));
  const at = Object.fromEntries(found.map((each) => [each.id, each.name]));
  return (
    <Section title={w.projects} what={w.projectsWhat}>
      <div class="table" role="region" aria-label={w.projects} tabIndex={0}>
        <table class="mapping into">
          <thead><tr><th scope="col">{w.atSource}</th><th scope="col">{s.key}</th><th scope="col">{s.name}</th></tr></thead>
          <tbody>
            {Object.entries(keys).slice(0, MOST).map(([id, key]) => {
              const name = at[id] ?? id;
              const into = here.get(key ?? "");
              return (
                <tr key={id}>
                  <th scope="row" dir="auto">{name}</th>
                  <td>
                    <input class="line" aria-label={w.keyOf(name)} maxLength={10} disabled={busy} value={key ?? ""} onChange={(event) => void set("projects", { [id]: event.currentTarget.value.trim().toUpperCase() }, id)} />
                    <p class="meta" dir="auto">{into === undefined ? w.madeNew : w.goesInto(into)}</p>
                    {wrong[id] && <p class="wrong" role="alert">{wrong[id]}</p>}
                  </td>
                  <td>
                    {into === undefined ? (
                      <input class="line" dir="auto" aria-label={w.nameOf(name)} maxLength={500} disabled={busy} value={names[id] ?? name} onChange={(event) => void set("names", { [id]: event.currentTarget.value }, `name ${id}`)} />
                    ) : (
                      <span dir="auto">{into}</span>
                    )}
                    {wrong[`name ${id}`] && <p class="wrong" role="alert">{wrong[`name ${id}`]}</p>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {Object.keys(keys).length > MOST && <p class="meta">{w.restStays(Object.keys(keys).length - MOST)}</p>}
    </Section>
  );
}

function Columns({ id, now, own, found, busy, wrong, set }: PartProps & { id: number; now: Words; own: readonly Choice[]; found: Found }) {
  const sample = sampleOf(id);
  const names = w.columns as Readonly<Record<string, string>>;
  const choices: Choice[] = [
    { value: "", title: w.leaveOut },
    { value: "values", title: w.asText },
    ...COLUMN_FIELDS.map((field) => ({ value: field, title: names[field] ?? field })),
    ...own,
  ];
  const order = Object.keys(sample);
  const columns = Object.keys(now).sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return (
    <Section title={w.columnsTitle} what={w.columnsWhat}>
      <div class="table" role="region" aria-label={w.columnsTitle} tabIndex={0}>
        <table class="mapping">
          <thead><tr><th scope="col">{w.column}</th><th scope="col">{w.holds}</th><th scope="col">{w.firstRows}</th></tr></thead>
          <tbody>
            {columns.slice(0, MOST).map((column) => {
              const cells = sample[column] ?? (found.fields?.[column]?.samples ?? []).map(String);
              return (
                <tr key={column}>
                  <th scope="row" dir="auto">{column}</th>
                  <td>
                    <Choose label={w.holdsOf(column)} value={now[column] ?? ""} choices={choices} disabled={busy} onChoose={(to) => void set("fields", { [column]: to }, `fields.${column}`)} />
                    {wrong[`fields.${column}`] && <p class="wrong" role="alert">{wrong[`fields.${column}`]}</p>}
                  </td>
                  <td class="wide meta" dir="auto">{cells.filter(Boolean).slice(0, 3).join(" · ") || "–"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface WordListProps extends PartProps {
  readonly part: Part;
  readonly title: string;
  readonly what?: string;
  readonly now: Words;
  readonly counts?: Readonly<Record<string, number>>;
  readonly choices: readonly Choice[];
}

function WordList({ part, title, what, now, counts, choices, busy, wrong, set }: WordListProps) {
  const all = Object.keys(now);
  if (!all.length) return null;
  return (
    <Section title={title} {...(what ? { what } : {})}>
      <div class="table" role="region" aria-label={title} tabIndex={0}>
        <table class="mapping">
          <thead><tr><th scope="col">{w.atSource}</th><th scope="col">{w.becomes}</th>{counts && <th scope="col" class="number">{w.times}</th>}</tr></thead>
          <tbody>
            {all.slice(0, MOST).map((word) => {
              const at = `${part}.${word}`;
              const change = (to: string): void => void set(part, { [word]: part === "types" ? to || null : to }, at);
              return (
                <tr key={word}>
                  <th scope="row" dir="auto">{word}</th>
                  <td>
                    <Choose label={w.becomesOf(word)} value={now[word] ?? ""} choices={choices} disabled={busy} onChoose={change} />
                    {wrong[at] && <p class="wrong" role="alert">{wrong[at]}</p>}
                  </td>
                  {counts && <td class="number">{number(counts[word] ?? 0)}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {all.length > MOST && <p class="meta">{w.restStays(all.length - MOST)}</p>}
    </Section>
  );
}

interface ChooseProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly disabled: boolean;
  readonly onChoose: (to: string) => void;
}

function Choose({ label, value, choices, disabled, onChoose }: ChooseProps) {
  const known = choices.some((choice) => choice.value === value);
  return (
    <select aria-label={label} value={value} disabled={disabled} onChange={(event) => onChoose(event.currentTarget.value)}>
      {!known && <option value={value}>{value}</option>}
      {choices.map((choice) => <option key={choice.value} value={choice.value}>{choice.title}</option>)}
    </select>
  );
}

function countsOf(found: Readonly<Record<string, { count: number }>> | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(found ?? {}).map(([word, { count }]) => [word, count]));
}

function laneChoices(): Choice[] {
  return tables.lane.all().sort((one, other) => one.position - other.position).map(({ key, name }) => ({ value: key, title: name }));
}

function typeChoices(): Choice[] {
  return tables.type.all().map(({ key, name }) => ({ value: key, title: name }));
}

function memberChoices(): Choice[] {
  const people = tables.member.all().filter((one) => one.state === "active").sort((one, other) => compare(one.name, other.name));
  return [{ value: "name_only", title: w.nameOnly }, { value: "invite", title: w.invite }, ...people.map(({ id, name }) => ({ value: id, title: name }))];
}
