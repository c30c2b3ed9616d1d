/** A new issue, from anywhere: what is written stays until it is made or thrown away. */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import type { Priority } from "../store/kinds.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { PriorityIcon } from "../ui/icons.tsx";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { Picker } from "../ui/picker.tsx";
import { go, here } from "../ui/router.ts";
import { compare, PRIORITIES, t } from "../ui/texts.ts";
import { people, PRIORITY_CHOICES } from "./fields.tsx";
import { Who } from "./list.tsx";

const DRAFT = "issue";

interface Draft {
  readonly project: string;
  readonly title: string;
  readonly body: string;
  readonly priority: Priority;
  readonly assignee: string;
  /** Names the call: sent twice, it makes one issue. */
  readonly id: string;
}

const draft = signal<Draft | undefined>(undefined);

/** Ask for a new issue, in the project that one looks at unless another is named. */
export function create(more: Partial<Draft> = {}): void {
  draft.value = { ...fresh(), ...written(), ...more };
}

function fresh(): Draft {
  const projects = openProjects();
  const place = here.value;
  const key = place.name === "project" ? place.key : place.name === "issue" ? place.key.split("-")[0] : undefined;
  const project = projects.find((one) => one.key === key) ?? projects[0];
  return { project: project?.key ?? "", title: "", body: "", priority: "none", assignee: "", id: random() };
}

function openProjects() {
  const found = tables.project.all().filter((project) => project.archived_at === null && project.my_role !== "viewer");
  return found.sort((one, other) => compare(one.name, other.name));
}

/** One without words is none: it would go to the project that one looked at before. */
function written(): Partial<Draft> {
  const found = JSON.parse(draftOf(DRAFT) || "{}") as Partial<Draft>;
  return found.title || found.body ? found : {};
}

export function CreateDialog() {
  if (!draft.value) return null;
  return <Form asked={draft.value} />;
}

type Asking = "project" | "priority" | "assignee";

function Form({ asked }: { asked: Draft }) {
  const [more, setMore] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<{ of: Asking; at: Element }>();
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    keepDraft(DRAFT, JSON.stringify(asked));
  }, [asked]);
  const set = (part: Partial<Draft>): void => {
    draft.value = { ...asked, ...part };
  };
  const close = (): void => {
    draft.value = undefined;
  };
  const make = async (): Promise<void> => {
    if (!asked.title.trim()) return title.current?.focus();
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    try {
      await send(asked);
      keepDraft(DRAFT, "");
      if (!draft.value) return; // it was closed meanwhile
      if (more) draft.value = { ...fresh(), project: asked.project };
      else close();
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setWrong(error instanceof Problem ? error.detail || error.title : t.noAnswer);
      if (!away(error)) set({ id: random() }); // what is mended is another call
    } finally {
      setBusy(false);
    }
    if (more) title.current?.focus();
  };
  const project = tables.project.watch(asked.project);
  const ask = (of: Asking) => (event: { currentTarget: Element }) => setAsking({ of, at: event.currentTarget });
  return (
    <Layer label={t.newIssue} kind="dialog" onClose={close}>
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
          <button type="button" class="chip" onClick={ask("project")}>{project?.name ?? t.project}</button>
          <span class="meta">{t.newIssue}</span>
        </div>
        <input
          ref={title}
          class="big"
          aria-label={t.title}
          placeholder={t.whatToDo}
          value={asked.title}
          maxLength={500}
          autocomplete="off"
          onInput={(event) => set({ title: event.currentTarget.value })}
        />
        <textarea
          rows={5}
          aria-label={t.description}
          placeholder={`${t.description} (Markdown)`}
          value={asked.body}
          onInput={(event) => set({ body: event.currentTarget.value })}
        />
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <button type="button" class="chip" onClick={ask("priority")}>
            <PriorityIcon priority={asked.priority} />
            {PRIORITIES[asked.priority]}
          </button>
          <button type="button" class="chip" onClick={ask("assignee")}>
            <Who id={asked.assignee || undefined} />
            {tables.member.watch(asked.assignee)?.name ?? t.nobody}
          </button>
          <span class="grow" />
          <label class="meta">
            <input type="checkbox" checked={more} onChange={(event) => setMore(event.currentTarget.checked)} /> {t.more}
          </label>
          <button type="submit" class="primary" disabled={busy}>{t.create}</button>
        </div>
      </form>
      {asking?.of === "project" && (
        <Picker
          label={t.project}
          at={asking.at}
          options={openProjects().map((one) => ({ value: one.key, title: one.name, hint: one.key }))}
          chosen={[asked.project]}
          onChoose={(key) => set({ project: key })}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.of === "priority" && (
        <Picker
          label={t.priority}
          at={asking.at}
          options={PRIORITY_CHOICES}
          chosen={[asked.priority]}
          onChoose={(priority) => set({ priority })}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.of === "assignee" && (
        <Picker
          label={t.assignee}
          at={asking.at}
          options={people()}
          chosen={[asked.assignee]}
          onChoose={(assignee) => set({ assignee })}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Layer>
  );
}

async function send({ project, title, body, priority, assignee, id }: Draft): Promise<void> {
  const input = { project, title, ...(body && { body }), priority, ...(assignee && { assignees: [assignee] }) };
  const { data, seq } = await server.ask("issues.create", input, { idempotencyKey: id });
  const made = data as { key: string };
  const path = `/issues/${made.key}`;
  remember(t.created(made.key), seq);
  say(t.created(made.key), { title: t.open, run: () => go(path) });
}

