/** A new issue from a template: what is filled in at once, and what the server adds when it is made. */
import { useEffect, useState } from "preact/hooks";
import type { In, IssueTemplate } from "@kbwork/client";
import { dismiss, write } from "../issues/asked.ts";
import { type Draft, drafted, type FromTemplate, openProjects, withoutTemplate } from "../issues/drafted.ts";
import { me, myId } from "../store/session.ts";
import { resets } from "../store/place.ts";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { type Option, Picker } from "../ui/picker.tsx";
import { day, dayFromNow, number, t } from "../ui/texts.ts";
import { words } from "./create_words.ts";

type Said = Partial<In<"issues.create">>;

/** By project, as they were when they were asked for last. */
const known = new Map<string, readonly IssueTemplate[]>();
const PLACE = /\{\{\s*([^{}]{0,100}?)\s*\}\}/g;
const DAY = /^today(?:\s*([+-])\s*(\d{1,4})\s*([dw]))?$/;
/** What holds one of these is known when the issue is made, not before. */
const WAITS = /\{\{\s*(?:title|body)\s*\}\}/;

const WEAVES = /\{\{\s*body\s*\}\}/;

/** Those that an issue of the project may be made with; none until they are here. */
export function useTemplates(project: string): readonly IssueTemplate[] {
  const [, setCame] = useState(0);
  useEffect(() => {
    if (!project) return;
    let late = false;
    server.issues.templates({ project }).then(
      (found) => {
        known.set(project, found);
        if (!late) setCame((count) => count + 1);
      },
      () => undefined, // one writes on without
    );
    return () => {
      late = true;
    };
  }, [project, resets.value]);
  return known.get(project) ?? [];
}

/** Which template a new issue is made of, asked before anything else. */
export function TemplatePicker() {
  const [found, setFound] = useState<readonly IssueTemplate[]>(() => [...new Map([...known.values()].flat().map((one) => [one.id, one])).values()]);
  useEffect(() => {
    const open = new Set(openProjects().map(({ key }) => key));
    server.issues.templates({}).then((all) => setFound(all.filter(({ project }) => project === null || open.has(project))), () => undefined);
  }, []);
  const begin = (id: number): void => {
    const of = found.find((one) => one.id === id);
    if (of) queueMicrotask(() => write(withTemplate(drafted(of.project ? { project: of.project } : {}), of))); // behind this list
  };
  return <Picker label={t.newFromTemplate} options={optionsOf(found, true)} chosen={[]} onChoose={begin} onClose={dismiss} />;
}

export const NO_TEMPLATE = 0;

export function optionsOf(all: readonly IssueTemplate[], everywhere = false): Option<number>[] {
  return all.map(({ id, name, type, project }) => {
    const kind = tables.type.get(type)?.name ?? type;
    return { value: id, title: name, hint: everywhere && project ? `${kind} · ${tables.project.get(project)?.name ?? project}` : kind };
  });
}

/** A draft with what a template says where nothing is written yet, in the place of what another one said. Null: none. */
export function withTemplate(before: Draft, of: IssueTemplate | null): Draft {
  const draft = withoutTemplate(before);
  if (!of) return draft;
  const filled = filledBy(of, draft);
  return { ...draft, ...filled, values: { ...filled.values, ...draft.values }, template: { of, filled } };
}

/** A draft of this type: with its template, unless somebody chose another or wrote a text. */
export function withType(draft: Draft, type: string, all: readonly IssueTemplate[]): Draft {
  const { template } = draft;
  const isChosen = template !== null && !isUsual(template.of);
  if (isChosen || draft.body !== (template?.filled.body ?? "")) return { ...draft, type };
  return { ...withTemplate(draft, all.find((one) => one.type === type && isUsual(one)) ?? null), type };
}

const isUsual = ({ id, type }: IssueTemplate): boolean => tables.type.get(type)?.template === id;

/** What it says that a draft can hold, and does not yet. */
function filledBy({ type, input }: IssueTemplate, draft: Draft): Partial<Draft> {
  const ready = Object.fromEntries(Object.entries(input).filter(([, value]) => !WAITS.test(JSON.stringify(value))));
  const said = rendered(ready, draft) as Said;
  const [who, ...others] = said.assignees ?? [];
  const assignee = who && !others.length ? memberNamed(who) : undefined;
  return {
    type,
    ...(!draft.title && said.title && { title: said.title }),
    ...(!draft.body && said.body && { body: said.body }),
    ...(draft.priority === "none" && said.priority && { priority: said.priority }),
    ...(!draft.assignee && assignee && { assignee }),
    ...(draft.sprint === null && said.sprint && { sprint: said.sprint }),
    ...(!draft.parent && said.parent && { parent: said.parent }),
    values: Object.fromEntries(Object.entries(byKey(said.values)).filter(([key]) => !(key in draft.values))),
  };
}

/** What the call says besides: of what a template filled in, also that it is to hold nothing. */
export function saidOf({ template, ...draft }: Draft, values: Record<string, unknown>): Said {
  if (!template) return {};
  const { of, filled } = template;
  const said = rendered(of.input, draft) as Said;
  return {
    template: of.id,
    values: { ...byKey(said.values), ...values },
    ...(filled.body && { body: draft.body }),
    ...(filled.assignee && !draft.assignee && { assignees: [] }),
    ...(filled.sprint && draft.sprint === null && { sprint: null }),
    ...(filled.parent && !draft.parent && { parent: null }),
  };
}

/** What a new issue gets by its template that does not stand in the dialog otherwise. */
export function Brought({ of: { of, filled }, draft }: { of: FromTemplate; draft: Draft }) {
  const said = rendered(of.input, draft) as Said;
  const waits = (name: string): boolean => WAITS.test(String(of.input[name] ?? ""));
  const names = (who: readonly string[]): string => who.map((one) => tables.member.get(memberNamed(one) ?? "")?.name ?? one).join(", ");
  const parts = [
    waits("title") && said.title && `${t.title}: ${said.title}`,
    WEAVES.test(String(of.input["body"] ?? "")) ? words.woven : waits("body") && !draft.body && words.text,
    said.labels?.length && `${t.labels}: ${said.labels.join(", ")}`,
    said.components?.length && `${t.components}: ${said.components.join(", ")}`,
    said.assignees?.length && !filled.assignee && !draft.assignee && `${t.assignee}: ${names(said.assignees)}`,
    said.start_date && `${t.start}: ${dayOf(said.start_date)}`,
    said.due_date && `${t.due}: ${dayOf(said.due_date)}`,
    said.estimate && `${t.estimate}: ${number(said.estimate)}`,
    of.checklists.length > 0 && words.checklists(of.checklists.length),
    of.children.length > 0 && words.children(of.children.length),
  ].filter(Boolean);
  return parts.length > 0 && <p class="meta" dir="auto">{words.brings(of.name)} {parts.join(" · ")}</p>;
}

function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? day(text) : text;
}

/** With its placeholders filled in, in texts however deep. One that is not known stays: the server refuses it. */
function rendered(value: unknown, draft: Pick<Draft, "title" | "body" | "project">): unknown {
  if (typeof value === "string") return value.replace(PLACE, (whole, name: string) => filler(name, draft) ?? whole);
  if (Array.isArray(value)) return value.map((one) => rendered(one, draft));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rendered(one, draft)]));
}

function filler(name: string, { title, body, project }: Pick<Draft, "title" | "body" | "project">): string | undefined {
  const [, sign, count, unit] = DAY.exec(name) ?? [];
  if (DAY.test(name)) return dayFromNow((sign === "-" ? -1 : 1) * Number(count ?? 0) * (unit === "w" ? 7 : 1));
  const all: Readonly<Record<string, string | undefined>> = {
    title,
    body,
    me: myId.peek(),
    "me.name": me.peek()?.member.name,
    "project.key": project,
    "project.name": tables.project.get(project)?.name,
  };
  return all[name];
}

/** A member as people are named to the server: by id, by handle, or as oneself. */
function memberNamed(who: string): string | undefined {
  if (who === "me") return myId.peek();
  return tables.member.all().find(({ id, handle }) => id === who || handle === who.replace(/^@/, ""))?.id;
}

/** Own fields may be named by their keys or their names. */
function byKey(values: Said["values"]): Record<string, unknown> {
  const keyOf = (name: string): string =>
    (tables.field.get(name) ?? tables.field.all().find((one) => one.name.toLowerCase() === name.toLowerCase()))?.key ?? name;
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [keyOf(name), value]));
}
