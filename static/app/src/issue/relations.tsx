/** The issues around an issue: those below it, and those that it is related to. */
import { useEffect, useState } from "preact/hooks";
import type { Issue as WholeIssue, Relation, RelationKind } from "@kbwork/client";
import { create } from "../issues/asked.ts";
import { byKey } from "../issues/cursor.ts";
import { partOf } from "../issues/lanes.ts";
import type { Issue } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Icon, LaneIcon } from "../ui/icons.tsx";
import { Later, Part } from "../ui/later.tsx";
import { act } from "./act.ts";
import { show } from "./details.ts";
import { words } from "./texts.ts";

/** Asking for one more, which comes when it is asked for first. */
const Relate = new Later(async () => (await import("./relate.tsx")).Relate);

export function Below({ issue, whole }: { issue: Issue; whole: WholeIssue }) {
  const found = whole.children ?? [];
  const { children, children_done: done } = whole.counts;
  if (!found.length) return null;
  return (
    <section aria-label={words.below}>
      <h2 class="bar">
        {words.below}
        {children > 0 && <span class="meta">{words.progress(done, children)}</span>}
        <span class="grow" />
        {whole.can.edit && canHaveBelow(issue) && (
          <button type="button" class="mini" aria-label={words.addBelow} title={words.addBelow} onClick={() => addBelow(issue)}>
            <Icon of="plus" />
          </button>
        )}
      </h2>
      <ul class="around">
        {found.map((one) => <Line key={one.key} issueKey={one.key} title={one.title} lane={one.lane} status={one.status} />)}
      </ul>
    </section>
  );
}

export function addBelow({ project, key }: Issue): void {
  create({ project, parent: key, type: "" });
}

/** Something of a lower level can stand in its project. */
export function canHaveBelow(issue: Issue): boolean {
  const level = tables.type.get(issue.type)?.level ?? 0;
  return tables.type.all().some((type) => type.level < level && (!type.projects.length || type.projects.includes(issue.project)));
}

interface LineProps {
  readonly issueKey: string;
  readonly title: string;
  readonly lane: string | undefined;
  readonly status: string;
  readonly children?: preact.ComponentChildren;
}

/** As it is now, where it is kept here. */
function Line({ issueKey, title, lane, status, children }: LineProps) {
  const id = byKey(issueKey);
  const kept = id === undefined ? undefined : tables.issue.watch(id);
  const at = tables.lane.watch(kept?.lane ?? lane ?? "");
  return (
    <li class="bar">
      <span title={at?.name ?? status}><LaneIcon lane={at} part={partOf(at)} /></span>
      <span class="meta key">{issueKey}</span>
      <a class="cut grow" data-in href={`/issues/${issueKey}`} dir="auto">{kept?.title ?? title}</a>
      {children}
    </li>
  );
}

interface RelationsProps {
  readonly issue: Issue;
  readonly whole: WholeIssue;
  /** Where somebody asks for one more. */
  readonly asking: Element | undefined;
  readonly onAsk: (at: Element | undefined) => void;
}

export function Relations({ issue, whole, asking, onAsk }: RelationsProps) {
  const kinds = useKinds();
  const relations = whole.relations ?? [];
  const groups = Map.groupBy(relations, (relation) => nameOf(relation, kinds));
  const put = (found: readonly Relation[]): void => show(issue.id, { whole: { ...whole, relations: [...found] } });
  const remove = async ({ id, issue: other }: Relation): Promise<void> => {
    const found = await act(`${words.related} ${issue.key}, ${other.key}`, "issues.relation_delete", { id });
    if (found) put(found);
  };
  const ask = asking && <Part of={Relate} props={{ issue, at: asking, kinds, onDone: put, onClose: () => onAsk(undefined) }} above />;
  if (!relations.length) return <>{ask}</>;
  return (
    <section aria-label={words.related}>
      <h2 class="bar">
        {words.related}
        <span class="grow" />
        {whole.can.edit && (
          <button type="button" class="mini" aria-label={words.relate} title={words.relate} onClick={(event) => onAsk(event.currentTarget)}>
            <Icon of="plus" />
          </button>
        )}
      </h2>
      {[...groups].map(([name, some]) => (
        <div key={name}>
          <h3 class="meta">{name}</h3>
          <ul class="around">
            {some.map((relation) => (
              <Line key={relation.id} issueKey={relation.issue.key} title={relation.issue.title} lane={undefined} status={relation.issue.status}>
                {whole.can.edit && (
                  <button
                    type="button"
                    class="mini"
                    aria-label={words.unrelate(relation.issue.key)}
                    title={words.unrelate(relation.issue.key)}
                    onClick={() => void remove(relation)}
                  >
                    <Icon of="close" />
                  </button>
                )}
              </Line>
            ))}
          </ul>
        </div>
      ))}
      {ask}
    </section>
  );
}

let known: readonly RelationKind[] = [];

function useKinds(): readonly RelationKind[] {
  const [kinds, setKinds] = useState(known);
  useEffect(() => {
    if (known.length) return;
    server.issues.relation_kinds().then(
      (found) => setKinds((known = found)),
      () => undefined, // without a network: names are their keys, and nothing can be related
    );
  }, []);
  return kinds;
}

function nameOf({ kind, direction }: Relation, kinds: readonly RelationKind[]): string {
  const found = kinds.find((one) => one.key === kind);
  return (direction === "in" ? found?.inverse : found?.name) ?? kind;
}
