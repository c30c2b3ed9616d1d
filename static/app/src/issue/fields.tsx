/** The fields of an issue that one sees and changes at its head. */
import { choose, edit } from "../issues/asked.ts";
import { type Field, FIELDS } from "../issues/edits.ts";
import { Due, Labels, nameOf, Who } from "../issues/marks.tsx";
import { partOf } from "../issues/lanes.ts";
import { open, takes } from "../issues/sprints.ts";
import type { Issue } from "../store/kinds.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { words as talk } from "../talk/texts.ts";
import { Icon, LaneIcon, PriorityIcon } from "../ui/icons.tsx";
import { day, number, PRIORITIES, t } from "../ui/texts.ts";
import { customerOf, type Details } from "./details.ts";
import { type Choices, OwnChips, OwnTexts, useOwn } from "./own.tsx";
import { words } from "./texts.ts";

/** Those that many issues have no use for: they stand there once they hold something. */
const SELDOM = ["sprint", "components", "estimate", "start", "parent"] as const;

export function Fields({ issue, found }: { issue: Issue; found: Details | undefined }) {
  const own = useOwn(issue, found);
  const lane = tables.lane.watch(issue.lane);
  const customer = found && customerOf(found);
  const parent = issue.parent === null ? undefined : tables.issue.watch(issue.parent);
  return (
    <>
      <div class="fields">
        <FieldButton of="type" issue={issue}>{tables.type.watch(issue.type)?.name ?? issue.type}</FieldButton>
        <FieldButton of="status" issue={issue}>
          <LaneIcon lane={lane} part={partOf(lane)} />
          {lane?.name}
        </FieldButton>
        <FieldButton of="priority" issue={issue}>
          <PriorityIcon priority={issue.priority} />
          {PRIORITIES[issue.priority]}
        </FieldButton>
        <FieldButton of="assignee" issue={issue}>
          <Who id={issue.assignees[0]} />
          {issue.assignees.map((id) => nameOf(id)).join(", ") || t.nobody}
        </FieldButton>
        <FieldButton of="labels" issue={issue}>
          {issue.labels.length ? <Labels ids={issue.labels} /> : t.noLabels}
        </FieldButton>
        <FieldButton of="due" issue={issue}>
          {issue.due_date ? <Due date={issue.due_date} done={lane?.category === "done"} /> : t.noDate}
        </FieldButton>
        {found?.whole.request && customer && (
          <span class="chip" title={words.channel(found.whole.request.channel)}>
            <Who id={customer} />
            {words.requestOf(nameOf(customer) ?? talk.aCustomer)}
          </span>
        )}
        {issue.sprint !== null && (
          <FieldButton of="sprint" issue={issue}>
            <Icon of="sprint" />
            {tables.sprint.watch(issue.sprint)?.name ?? `${t.sprint} ${issue.sprint}`}
          </FieldButton>
        )}
        {issue.components.length > 0 && (
          <FieldButton of="components" issue={issue}>
            {issue.components.map((id) => tables.component.watch(id)?.name).join(", ")}
          </FieldButton>
        )}
        {issue.estimate !== null && <FieldButton of="estimate" issue={issue}><span aria-hidden="true">≈</span>{number(issue.estimate)}</FieldButton>}
        {issue.start_date && <FieldButton of="start" issue={issue}>{`${t.from} ${day(issue.start_date)}`}</FieldButton>}
        {parent && (
          <a class="chip" data-in href={`/issues/${parent.key}`} title={`${t.parent}: ${parent.title}`}>
            ↑ {parent.key}
          </a>
        )}
        <OwnChips of={own} />
        <More issue={issue} own={own.more} />
      </div>
      <OwnTexts of={own} />
      {own.editor}
    </>
  );
}

/** The fields that are not there yet, and what is shown as a link. */
function More({ issue, own }: { issue: Issue; own: Choices }) {
  const holds = { sprint: issue.sprint !== null, components: issue.components.length > 0, estimate: issue.estimate !== null, start: issue.start_date !== null, parent: false };
  const fields = SELDOM.filter((field) => !holds[field] && canChoose(field, issue));
  const options = [...fields.map((field) => ({ title: FIELDS[field], run: (at: Element) => edit(field, [issue.id], at) })), ...own];
  if (!options.length || !may("issues:write")) return null;
  const ask = (at: Element): void => choose({ label: t.addField, at, options: options.map(({ title, run }) => ({ title, run: () => run(at) })) });
  return (
    <button type="button" class="chip" onClick={(event) => ask(event.currentTarget)}>
      <Icon of="plus" />
      {t.addField}
    </button>
  );
}

function FieldButton({ of, issue, children }: { of: Field; issue: Issue; children: preact.ComponentChildren }) {
  const label = FIELDS[of];
  return (
    <button type="button" class="chip" title={label} onClick={(event) => edit(of, [issue.id], event.currentTarget)}>
      <span class="hidden">{label}: </span>
      {children}
    </button>
  );
}

/** Whether there may be something to choose from: asked for each issue that is shown, so that no other one is looked at. */
function canChoose(field: Field, issue: Issue): boolean {
  const { project } = issue;
  if (field === "components") return tables.component.all().some((one) => !one.archived && one.project === project);
  if (field === "sprint") return open.value.some((sprint) => takes(sprint, project));
  const levelOf = (type: string): number => tables.type.get(type)?.level ?? 0;
  return field !== "parent" || tables.type.all().some((type) => type.level > levelOf(issue.type));
}
