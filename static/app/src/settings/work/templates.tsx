/** Templates of issues: those of the org, and those of projects. */
import type { ChecklistTemplate, IssuesTemplateSave, IssueTemplate } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare, PRIORITIES } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, Unreadable, type Values } from "../parts/form.tsx";
import { Things } from "../parts/things.tsx";
import { s } from "../texts.ts";
import { Remove } from "./thing.tsx";

const [TITLE, WHAT] = s.places.templates;
const w = s.templates;
const PLACES = ["title", "body", "me", "me.name", "project.key", "project.name", "today", "today+7d"];
/** Those that have a field of their own in the form. */
const PLAIN = ["title", "body", "priority", "labels", "assignees", "due_date", "estimate"];

type Child = NonNullable<IssuesTemplateSave["children"]>[number];

export function Page() {
  const led = tables.project.all().filter((one) => one.archived_at === null && (may("admin") || one.my_role === "lead"));
  const shut = may("admin") || (may("projects:write") && led.length) ? undefined : w.onlyKeepers;
  const keeps = ({ project }: IssueTemplate): boolean => may("admin") || led.some(({ key }) => key === project);
  return (
    <Things
      title={TITLE}
      what={WHAT}
      shut={shut}
      make={w.new}
      empty={w.none}
      ask={() => server.issues.templates({})}
      idOf={(one) => one.id}
      wordsOf={({ name, project, type }) => `${name} ${project ?? w.everywhere} ${type}`}
      columns={() => [
        { title: w.type, of: ({ type }) => tables.type.watch(type)?.name ?? type },
        { title: w.where, of: ({ project }) => (project ? (tables.project.watch(project)?.name ?? project) : w.everywhere) },
      ]}
      dialog={({ thing, onClose }) => (
        <TemplateDialog one={thing} projects={led.map(({ key }) => key)} shut={thing && !keeps(thing) ? (shut ?? s.projects.onlyLeads) : shut} onClose={onClose} />
      )}
    />
  );
}

interface TemplateProps {
  readonly one: IssueTemplate | undefined;
  /** Those whose templates one may make. */
  readonly projects: readonly string[];
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function TemplateDialog({ one, projects, shut, onClose }: TemplateProps) {
  const checklists = useAsked(() => server.checklists.templates());
  return (
    <Dialog title={one?.name ?? w.new} onClose={onClose}>
      <Form
        name={`settings.templates.${one?.id ?? "new"}`}
        fields={fieldsOf(one, projects, checklists.data ?? [])}
        value={valuesOf(one, projects)}
        {...(one && { fresh: async () => valuesOf(await templateOf(one.id), projects) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (changes, all) => {
          const now = one && (await templateOf(one.id));
          const input = inputOf(one ? { ...valuesOf(now, projects), ...changes } : all, now);
          await act("issues.template_save", input, { said: one ? w.changed(input.name) : w.made(input.name), undo: true });
          onClose();
        }}
      >
        {one && !shut && (
          <Remove
            title={s.delete}
            what={w.deleteWhat}
            onRemove={() => void attempt("issues.template_delete", { id: one.id }, { said: w.deleted(one.name), undo: true }).then((done) => done && onClose())}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** As it is now: what is sent with a change is not what somebody changed meanwhile. */
async function templateOf(id: number): Promise<IssueTemplate | undefined> {
  return (await server.issues.templates({})).find((one) => one.id === id);
}

function fieldsOf(one: IssueTemplate | undefined, projects: readonly string[], checklists: readonly ChecklistTemplate[]): FormField[] {
  const types = tables.type.all().sort((each, other) => other.level - each.level || compare(each.name, other.name));
  const people = tables.member.all().filter(({ state }) => state === "active").sort((each, other) => compare(each.name, other.name));
  const where = [
    ...(may("admin") ? [{ value: "", title: w.everywhere }] : []),
    ...projects.map((key) => ({ value: key, title: tables.project.get(key)?.name ?? key })),
  ];
  return [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "project", label: w.where, kind: "choice", choices: where, fixed: one !== undefined },
    { name: "type", label: w.type, kind: "choice", choices: types.map(({ key, name }) => ({ value: key, title: name })) },
    { name: "title", label: w.title, max: 500, path: "input.title", placeholder: "Report of {{today}}" },
    { name: "body", label: w.body, kind: "code", path: "input.body", hint: `${w.places} ${PLACES.map((place) => `{{${place}}}`).join(" ")}` },
    { name: "priority", label: w.priority, kind: "choice", path: "input.priority", choices: [{ value: "", title: w.asUsual }, ...Object.entries(PRIORITIES).map(([value, title]) => ({ value, title }))] },
    { name: "labels", label: w.labels, kind: "tokens", path: "input.labels", hint: w.labelsWhat, choices: tables.label.all().map(({ name }) => ({ value: name, title: name })) },
    { name: "assignees", label: w.assignees, kind: "tokens", path: "input.assignees", choices: people.map(({ handle, name }) => ({ value: `@${handle}`, title: name })) },
    { name: "due_date", label: w.due, path: "input.due_date", hint: w.dueWhat, placeholder: "{{today+7d}}" },
    { name: "estimate", label: w.estimate, kind: "number", path: "input.estimate" },
    ...(checklists.length ? [{ name: "checklists", label: w.checklists, kind: "many", choices: checklists.map(({ id, name }) => ({ value: String(id), title: name })) } as const] : []),
    { name: "children", label: w.children, kind: "lines", hint: w.childrenWhat },
    { name: "rest", label: w.rest, kind: "code", path: "input", hint: w.restWhat },
  ];
}

function valuesOf(one: IssueTemplate | undefined, projects: readonly string[]): Values {
  const input = one?.input ?? {};
  const text = (name: string): string => String(input[name] ?? "");
  const list = (name: string): string[] => (input[name] as string[] | undefined) ?? [];
  const rest = Object.entries(input).filter(([name]) => !PLAIN.includes(name));
  return {
    name: one?.name ?? "",
    project: one ? (one.project ?? "") : may("admin") ? "" : (projects[0] ?? ""),
    type: one?.type ?? tables.type.all().find(({ level }) => level === 0)?.key ?? "",
    title: text("title"),
    body: text("body"),
    priority: text("priority"),
    labels: list("labels"),
    assignees: list("assignees"),
    due_date: text("due_date"),
    estimate: (input["estimate"] as number | undefined) ?? null,
    checklists: (one?.checklists ?? []).map(String),
    children: (one?.children ?? []).map(titleOf),
    rest: rest.length ? JSON.stringify(Object.fromEntries(rest), null, 2) : "",
  };
}

function inputOf(all: Values, before: IssueTemplate | undefined): IssuesTemplateSave {
  const said = Object.entries(all).filter(([name, value]) => PLAIN.includes(name) && value !== "" && value !== null && !(Array.isArray(value) && !value.length));
  const type = String(all["type"]);
  return {
    ...(before ? { id: before.id } : all["project"] ? { project: String(all["project"]) } : {}),
    name: String(all["name"]),
    type,
    input: { ...Object.fromEntries(said), ...restOf(String(all["rest"] ?? "")) },
    children: childrenOf(lines(all["children"]), type, before),
    checklists: ((all["checklists"] as readonly string[] | undefined) ?? []).map(Number),
  };
}

function restOf(text: string): Record<string, unknown> {
  if (!text.trim()) return {};
  try {
    const found = JSON.parse(text) as unknown;
    if (found !== null && typeof found === "object" && !Array.isArray(found)) return found as Record<string, unknown>;
  } catch {
    // It is said below, as of what is JSON and no object.
  }
  throw new Unreadable("input", w.noJson);
}

/** Those that are there already are kept with all that is said of them; a new one is of the next lower level. */
function childrenOf(titles: readonly string[], type: string, before: IssueTemplate | undefined): Child[] {
  const left = [...((before?.children ?? []) as unknown as Child[])];
  const level = tables.type.get(type)?.level ?? 0;
  const below = tables.type.all().filter((one) => one.level < level).sort((one, other) => other.level - one.level)[0];
  const taken = new Set(left.map(({ ref }) => ref));
  const found = titles.map<Child>((title, at) => {
    const place = left.findIndex((one) => titleOf(one as never) === title);
    if (place >= 0) return left.splice(place, 1)[0]!;
    let ref = `${at + 1}`;
    while (taken.has(ref)) ref += "'";
    taken.add(ref);
    return { ref, input: { title, ...(below && { type: below.key }) } };
  });
  const refs = new Set(found.map(({ ref }) => ref));
  return found.map((one) => ({ ...one, blocks: (one.blocks ?? []).filter((ref) => refs.has(ref)) }));
}

function titleOf({ input, ref }: Record<string, unknown>): string {
  return String((input as { title?: string }).title ?? ref);
}
