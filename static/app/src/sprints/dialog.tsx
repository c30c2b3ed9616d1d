/** Making, changing, starting and completing a sprint. What is written stays until it is sent or thrown away. */
import { useRef, useState } from "preact/hooks";
import type { In, Name } from "@kbwork/client";
import { dismiss, type OfSprint } from "../issues/asked.ts";
import { openProjects } from "../issues/drafted.ts";
import { isDone } from "../issues/lanes.ts";
import { inOrder, open } from "../issues/sprints.ts";
import { SprintCapacity } from "../screens/parts.tsx";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { Sprint } from "../store/kinds.ts";
import { until } from "../store/place.ts";
import { Sending } from "../store/sending.ts";
import { tables } from "../store/tables.ts";
import { Part } from "../ui/later.tsx";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { compare, dayFromNow, t } from "../ui/texts.ts";
import { after, daysBetween } from "./days.ts";
import { words } from "./texts.ts";

const WEEKS_2 = 13;

interface Fields {
  readonly name: string;
  readonly projects: readonly string[];
  readonly team: number | null;
  readonly start: string;
  readonly end: string;
  readonly goal: string;
  readonly note: string;
  /** Where what is not done goes: to the next one, to none, or into that of this id. */
  readonly to: "next" | "backlog" | number;
}

export function SprintDialog({ of }: { of: OfSprint }) {
  const sprint = of.what === "make" ? undefined : tables.sprint.watch(of.id);
  const draft = `sprint.${of.what}.${of.what === "make" ? "" : of.id}`;
  const [fields, setFields] = useState<Fields>(() => ({ ...usual(of, sprint), ...(JSON.parse(draftOf(draft) || "{}") as Partial<Fields>) }));
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  if (of.what !== "make" && !sprint) return null;
  const name = sprint?.name ?? "";
  const title = of.what === "make" ? words.titles.make : words.titles[of.what](name);
  const set = (some: Partial<Fields>): void => {
    const next = { ...fields, ...some };
    setFields(next);
    keepDraft(draft, JSON.stringify(next));
  };
  const send = async <K extends Name>(op: K, input: In<K>, said: string): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    const { data, seq, wrong: why } = await sending.current.send(op, input);
    if (seq === undefined) {
      setWrong(why);
      setBusy(false);
      return;
    }
    remember(said, seq);
    keepDraft(draft, "");
    await until(seq);
    dismiss();
    say(said);
    if (op === "sprints.create") go(`/sprints/${(data as { id: number }).id}`);
    if (op === "sprints.delete") go("/issues");
  };
  const submit = (): Promise<void> => {
    const { start, end, goal, note, to } = fields;
    const dates = { ...(start && { start_date: start }), ...(end && { end_date: end }) };
    if (of.what === "make") {
      const { name, projects, team } = fields;
      return send("sprints.create", { name, projects, ...(team !== null && { team }), goal, ...dates }, words.made(name));
    }
    if (of.what === "change") return send("sprints.update", { id: of.id, name: fields.name, goal, ...dates }, words.changed(fields.name));
    if (of.what === "start") return send("sprints.start", { id: of.id, goal, ...dates }, words.started(name));
    const where = typeof to === "number" ? { unfinished: "sprint" as const, sprint: to } : { unfinished: to };
    return send("sprints.complete", { id: of.id, ...where, ...(note.trim() && { note: note.trim() }) }, words.completed(name));
  };
  return (
    <Layer label={title} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h2 dir="auto">{title}</h2>
        {(of.what === "make" || of.what === "change") && (
          <label class="field">
            {t.name}
            <input value={fields.name} maxLength={200} required autocomplete="off" dir="auto" onInput={(event) => set({ name: event.currentTarget.value })} />
          </label>
        )}
        {of.what === "make" && <Whose fields={fields} set={set} />}
        {of.what === "complete" ? <Outcome sprint={sprint!} fields={fields} set={set} /> : <Span fields={fields} set={set} required={of.what === "start"} />}
        {of.what === "start" && <p class="meta">{words.plan(heldBy(of.id).length)}</p>}
        {(of.what === "change" || of.what === "start") && <Part of={SprintCapacity} props={{ id: of.id }} />}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          {of.what === "change" && (
            <button type="button" class="plain" disabled={busy} title={words.deleteWhat} onClick={() => void send("sprints.delete", { id: of.id }, words.deleted(name))}>
              {words.delete}
            </button>
          )}
          <span class="grow" />
          <button type="button" class="plain" onClick={() => (keepDraft(draft, ""), dismiss())}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || (of.what === "make" && !fields.projects.length && fields.team === null)}>{words.save[of.what]}</button>
        </div>
      </form>
    </Layer>
  );
}

interface Part {
  readonly fields: Fields;
  readonly set: (some: Partial<Fields>) => void;
}

/** Of which projects, and of which team. */
function Whose({ fields: { projects, team }, set }: Part) {
  const teams = tables.team.all().sort((one, other) => compare(one.name, other.name));
  return (
    <>
      <fieldset class="field">
        <legend>{words.of}</legend>
        <div class="bar wraps">
          {openProjects().map(({ key, name }) => (
            <label key={key} class="bar">
              <input
                type="checkbox"
                checked={projects.includes(key)}
                onChange={(event) => set({ projects: event.currentTarget.checked ? [...projects, key] : projects.filter((one) => one !== key) })}
              />
              <span dir="auto">{name}</span>
            </label>
          ))}
        </div>
        {!projects.length && team === null && <span class="meta">{words.ofNone}</span>}
      </fieldset>
      {teams.length > 0 && (
        <label class="field">
          {words.team}
          <select value={team ?? ""} onChange={(event) => set({ team: event.currentTarget.value ? Number(event.currentTarget.value) : null })}>
            <option value="">{words.noTeam}</option>
            {teams.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
      )}
    </>
  );
}

function Span({ fields: { start, end, goal }, set, required }: Part & { readonly required: boolean }) {
  return (
    <>
      <div class="bar wraps">
        <label class="field grow">
          {words.firstDay}
          <input type="date" value={start} onInput={(event) => set({ start: event.currentTarget.value })} />
        </label>
        <label class="field grow">
          {words.lastDay}
          <input type="date" value={end} min={start} required={required} onInput={(event) => set({ end: event.currentTarget.value })} />
        </label>
      </div>
      <label class="field">
        {words.goal}
        <textarea rows={2} dir="auto" value={goal} onInput={(event) => set({ goal: event.currentTarget.value })} />
      </label>
    </>
  );
}

function Outcome({ sprint, fields: { to, note }, set }: Part & { readonly sprint: Sprint }) {
  const held = heldBy(sprint.id);
  const done = held.filter(isDone).length;
  const next = nextAfter(sprint);
  const others = open.value.filter((one) => one.id !== sprint.id && one.id !== next?.id && sharesWith(one, sprint));
  const way = (value: Fields["to"], title: string) => (
    <label key={value} class="bar">
      <input type="radio" name="to" checked={to === value} onChange={() => set({ to: value })} />
      <span dir="auto">{title}</span>
    </label>
  );
  return (
    <>
      <p>{words.outcome(done, held.length - done)}</p>
      <fieldset class="field">
        <legend>{words.unfinished}</legend>
        {next && way("next", words.next(next.name))}
        {way("backlog", words.backlog)}
        {others.map((one) => way(one.id, `${words.other} ${one.name}`))}
      </fieldset>
      <label class="field">
        {words.note}
        <textarea rows={2} dir="auto" value={note} onInput={(event) => set({ note: event.currentTarget.value })} />
      </label>
    </>
  );
}

function heldBy(sprint: number) {
  return tables.issue.all().filter((issue) => issue.sprint === sprint);
}

/** The planned one that what is not done would go into: of the same team; of none, one that shares a project. */
function nextAfter(sprint: Sprint): Sprint | undefined {
  return open.value.find((one) => one.state === "planned" && sharesWith(one, sprint));
}

function sharesWith(one: Sprint, other: Sprint): boolean {
  if (other.team !== null) return one.team === other.team;
  return one.team === null && one.projects.some((key) => other.projects.includes(key));
}

/** What stands there at first; of a new one what follows the last one of its project. */
function usual(of: OfSprint, sprint: Sprint | undefined): Fields {
  const rest = { projects: [], team: null, note: "", to: sprint && nextAfter(sprint) ? ("next" as const) : ("backlog" as const) };
  if (sprint) {
    const start = sprint.start_date ?? (of.what === "start" ? dayFromNow(0) : "");
    return { ...rest, name: sprint.name, goal: sprint.goal, start, end: sprint.end_date ?? (start && after(start, WEEKS_2)) };
  }
  const projects = openProjects();
  const asked = of.what === "make" ? of.project : undefined;
  const key = projects.find((one) => one.key === asked)?.key ?? (projects.length === 1 ? projects[0]!.key : undefined);
  const before = inOrder.peek().filter((one) => key !== undefined && one.team === null && one.projects.includes(key));
  const last = before.reduce<Sprint | undefined>((latest, one) => ((one.end_date ?? "") > (latest?.end_date ?? "") ? one : latest), undefined);
  const today = dayFromNow(0);
  const start = last?.end_date && last.end_date >= today ? after(last.end_date, 1) : today;
  const long = last?.start_date && last.end_date ? Math.max(0, daysBetween(last.start_date, last.end_date)) : WEEKS_2;
  return { ...rest, projects: key ? [key] : [], name: last ? following(last.name) : "", goal: "", start, end: after(start, long) };
}

/** `Sprint 12` -> `Sprint 13`; nothing where it has no number. */
function following(name: string): string {
  const found = /^(.*?)(\d{1,9})$/.exec(name);
  return found ? `${found[1]}${Number(found[2]) + 1}` : "";
}
