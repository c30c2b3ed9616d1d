/** A new issue, from anywhere: what is written stays until it is made or thrown away. */
import { useRef, useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import type { IssueType } from "../store/kinds.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { type Option, Picker } from "../ui/picker.tsx";
import { remembered, remember as rememberWord } from "../ui/remembered.ts";
import { go } from "../ui/router.ts";
import { compare, PRIORITIES, t } from "../ui/texts.ts";
import { asked, dismiss, write } from "../issues/asked.ts";
import { byKey } from "../issues/cursor.ts";
import { DRAFT, type Draft, fresh, keep, movedTo, openProjects } from "../issues/drafted.ts";
import { beginnings } from "../issues/edits.ts";
import { laneChoice, people, PRIORITY_CHOICES } from "../issues/field_choices.tsx";
import { columns, partOf } from "../issues/lanes.ts";
import { Who } from "../issues/marks.tsx";
import { open, takes } from "../issues/sprints.ts";
import { Alike, besidesTitle, type Pasted, pastedOf, sendSeveral, Several } from "./create_more.tsx";
import { forgetWritten, OwnChips, type Refused, refusedOf, useOwn, valuesOf } from "./create_own.tsx";
import { Brought, NO_TEMPLATE, optionsOf, useTemplates, withTemplate, withType } from "./create_template.tsx";
import { words } from "./create_words.ts";
import { OwnEditor } from "./parts.tsx";

type Asking = "project" | "type" | "template" | "status" | "priority" | "assignee" | "sprint" | "own";

const MORE = "kbwork.more";
const NOTHING: Pasted = { lines: [], ofTable: false };

export function CreateDialog({ draft }: { draft: Draft }) {
  const [more, setMore] = useState(() => remembered(MORE) !== null);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [pasted, setPasted] = useState<Pasted>(NOTHING);
  const written = draft.title.trim();
  /** What was written before is one of them. */
  const lines = pasted.lines.length && written ? [written, ...pasted.lines] : pasted.lines;
  const [refused, setRefused] = useState<Refused>({});
  const [asking, setAsking] = useState<{ of: Asking; at: Element; key?: string }>();
  const title = useRef<HTMLInputElement>(null);
  /** As it is now: somebody may have written on, or closed it. */
  const set = (part: Partial<Draft>): void => {
    const now = asked.peek();
    if (now?.name === "create") write({ ...now.draft, ...part });
  };
  const writeOn = (): void => void requestAnimationFrame(() => asked.peek()?.name === "create" && !draft.title && title.current?.focus());
  const make = async (): Promise<void> => {
    if (!written && !lines.length) return title.current?.focus();
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    setRefused({});
    try {
      await (lines.length ? sendSeveral(chosen, values, lines) : send(chosen, values));
      setPasted(NOTHING);
      keep(undefined);
      forgetWritten(own);
      if (asked.peek()?.name !== "create") return; // it was closed meanwhile
      if (more) set(withTemplate({ ...fresh(), project: draft.project, lane: draft.lane, sprint: draft.sprint }, draft.template?.of ?? null));
      else dismiss();
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      const why = error instanceof Problem ? error.detail || error.title : t.noAnswer;
      if (asked.peek()?.name !== "create") say(why);
      setRefused(refusedOf(error));
      setWrong(why);
      if (!away(error)) set({ id: random() }); // what is mended is another call
    } finally {
      setBusy(false);
    }
    if (more) title.current?.focus();
  };
  const setOwn = (key: string, value: unknown): void => {
    const now = asked.peek();
    if (now?.name === "create") set({ values: { ...now.draft.values, [key]: value } });
    setRefused(({ [key]: _, ...others }) => others);
    setWrong(undefined);
  };
  const project = tables.project.watch(draft.project);
  const types = typesFor(draft);
  const type = types.find((one) => one.key === draft.type) ?? usual(draft, types);
  const sprints = open.value.filter((one) => takes(one, draft.project));
  const sprint = sprints.find((one) => one.id === draft.sprint);
  const ways = beginnings(draft.project, type?.key ?? "");
  const lane = ways?.includes(draft.lane) === false ? "" : draft.lane;
  const begins = tables.lane.watch(lane || (ways?.[0] ?? ""));
  const chosen = { ...draft, type: type?.key ?? "", sprint: sprint?.id ?? null, lane };
  const templates = useTemplates(draft.project);
  const own = useOwn(draft, type, refused);
  const values = valuesOf(own, draft.values);
  const editedOwn = own.find(({ field }) => field.key === asking?.key);
  const told = own.some(({ field }) => refused[field.key]);
  const ask = (of: Asking) => (event: { currentTarget: Element }) => setAsking({ of, at: event.currentTarget });
  const picker = <V,>(of: Asking, label: string, options: () => readonly Option<V>[], chosen: V | undefined, onChoose: (value: V) => void) =>
    asking?.of === of && <Picker label={label} at={asking.at} options={options()} chosen={chosen === undefined ? [] : [chosen]} onChoose={onChoose} onClose={() => (setAsking(undefined), writeOn())} />;
  return (
    <Layer label={t.newIssue} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void make();
        }}
      >
        <div class="bar">
          <button type="button" class="chip" onClick={ask("project")}><span class="cut" dir="auto">{project?.name ?? t.project}</span></button>
          <button type="button" class="chip" onClick={ask("type")}>{type?.name ?? t.type}</button>
          {(templates.length > 0 || draft.template) && (
            <button type="button" class="chip" onClick={ask("template")}><span class="cut" dir="auto">{draft.template?.of.name ?? words.template}</span></button>
          )}
          {draft.parent && (
            <button type="button" class="chip" title={t.takeOff} onClick={() => set({ parent: "", type: "" })}>↑ {draft.parent} ×</button>
          )}
          <span class="meta grow">{t.newIssue}</span>
          <button type="button" class="bare" aria-label={t.close} title={t.close} onClick={dismiss}>×</button>
        </div>
        <input
          ref={title}
          class="big"
          aria-label={t.title}
          placeholder={t.whatToDo}
          value={draft.title}
          maxLength={500}
          autocomplete="off"
          onInput={(event) => set({ title: event.currentTarget.value })}
          onPaste={(event) => {
            const found = pastedOf(event.clipboardData?.getData("text/plain") ?? "");
            if (found.lines.length < 2) return;
            event.preventDefault();
            setPasted(found);
          }}
        />
        {lines.length ? (
          <Several lines={lines} ofTable={pasted.ofTable} onDrop={() => (set({ title: lines.join(" ") }), setPasted(NOTHING))} />
        ) : (
          <Alike project={draft.project} title={draft.title} />
        )}
        <textarea
          rows={5}
          aria-label={t.description}
          placeholder={t.inMarkdown(t.description)}
          value={draft.body}
          onInput={(event) => set({ body: event.currentTarget.value })}
        />
        {draft.template && <Brought of={draft.template} draft={draft} />}
        <OwnChips fields={own} refused={refused} onEdit={(key, at) => setAsking({ of: "own", key, at })} />
        {wrong && !told && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          {begins && (
            <button type="button" class="chip" title={t.status} onClick={ask("status")}>
              <LaneIcon lane={begins} part={partOf(begins)} />
              {begins.name}
            </button>
          )}
          <button type="button" class="chip" onClick={ask("priority")}>
            <PriorityIcon priority={draft.priority} />
            {PRIORITIES[draft.priority]}
          </button>
          <button type="button" class="chip" onClick={ask("assignee")}>
            <Who id={draft.assignee || undefined} />
            {tables.member.watch(draft.assignee)?.name ?? t.nobody}
          </button>
          {sprints.length > 0 && (
            <button type="button" class="chip" onClick={ask("sprint")}>
              <Icon of="sprint" />
              {sprint?.name ?? t.noSprint}
            </button>
          )}
          <span class="grow" />
          <label class="meta bar">
            <input
              type="checkbox"
              checked={more}
              onChange={({ currentTarget: { checked } }) => {
                setMore(checked);
                rememberWord(MORE, checked ? "1" : null);
                writeOn();
              }}
            />
            {t.more}
          </label>
          <button type="submit" class="primary" disabled={busy}>{lines.length ? t.makeSeveral(lines.length) : t.create}</button>
        </div>
      </form>
      {picker("project", t.project, () => openProjects().map((one) => ({ value: one.key, title: one.name, hint: one.key })), draft.project, (key) => {
        set(movedTo(key, draft));
      })}
      {picker("type", t.type, () => types.map((one) => ({ value: one.key, title: one.name })), type?.key, (key) => set(withType(draft, key, templates)))}
      {picker(
        "template",
        words.template,
        () => [...optionsOf(templates), ...(draft.template ? [{ value: NO_TEMPLATE, title: words.none }] : [])],
        draft.template?.of.id,
        (id) => set(withTemplate(draft, templates.find((one) => one.id === id) ?? null)),
      )}
      {picker("status", t.status, () => columns.value.filter(({ key }) => ways?.includes(key) ?? true).map(laneChoice), begins?.key, (key) => set({ lane: key }))}
      {picker("priority", t.priority, () => PRIORITY_CHOICES, draft.priority, (priority) => set({ priority }))}
      {picker("assignee", t.assignee, people, draft.assignee, (assignee) => set({ assignee }))}
      {picker("sprint", t.sprint, () => [...sprints.map((one) => ({ value: one.id, title: one.name })), { value: null, title: t.noSprint }], sprint?.id ?? null, (id) => set({ sprint: id }))}
      {asking?.of === "own" && editedOwn && (
        <Part
          of={OwnEditor}
          props={{
            field: editedOwn.field,
            value: editedOwn.value,
            at: asking.at,
            of: DRAFT,
            refused: undefined,
            onSet: async (value) => {
              setOwn(editedOwn.field.key, value);
              return undefined;
            },
            onClose: () => setAsking(undefined),
          }}
          above
        />
      )}
    </Layer>
  );
}

/** What may stand there: below another issue, only what is of a lower level. */
function typesFor({ project, parent }: Draft): IssueType[] {
  const id = parent ? byKey(parent) : undefined;
  const above = id === undefined ? undefined : tables.type.get(tables.issue.get(id)?.type ?? "")?.level;
  return tables.type
    .all()
    .filter(({ projects, level }) => (!projects.length || projects.includes(project)) && (above === undefined || level < above))
    .sort((one, other) => other.level - one.level || compare(one.name, other.name));
}

/** The project's usual one, or the highest that fits below another issue. */
function usual({ project, parent }: Draft, types: readonly IssueType[]): IssueType | undefined {
  const own = types.find((type) => type.key === tables.project.get(project)?.default_type);
  return own ?? (parent ? types[0] : undefined);
}

async function send(draft: Draft, values: Record<string, unknown>): Promise<void> {
  const { project, title, body, id } = draft;
  const input = { project, title, ...(body && { body }), ...besidesTitle(draft, values) };
  const { data, seq } = await server.ask("issues.create", input, { idempotencyKey: id });
  const made = data as { key: string };
  const path = `/issues/${made.key}`;
  remember(t.created(made.key), seq);
  say(t.created(made.key), { title: t.open, run: () => go(path) });
}

