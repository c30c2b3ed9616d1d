/** Relating an issue to another one: how, and to which. */
import { useState } from "preact/hooks";
import type { Relation, RelationKind } from "@kbwork/client";
import type { Issue } from "../store/kinds.ts";
import { tables } from "../store/tables.ts";
import { Picker } from "../ui/picker.tsx";
import { act } from "./act.ts";
import { words } from "./texts.ts";

const MOST = 30;

interface RelateProps {
  readonly issue: Issue;
  readonly at: Element;
  readonly kinds: readonly RelationKind[];
  readonly onDone: (relations: readonly Relation[]) => void;
  readonly onClose: () => void;
}

/** First how, then to which. */
export function Relate({ issue, at, kinds, onDone, onClose }: RelateProps) {
  const [kind, setKind] = useState<string>();
  const names = kinds.flatMap(({ name, inverse, directed }) => (directed ? [name, inverse] : [name]));
  if (kind === undefined) {
    const options = names.map((name) => ({ value: name, title: name }));
    return <Picker key="kind" label={words.relateHow(issue.key)} at={at} options={options} chosen={[]} stays onChoose={setKind} onClose={onClose} />;
  }
  const relate = async (to: string): Promise<void> => {
    const found = await act(`${words.related} ${issue.key}, ${to}`, "issues.relation_add", { key: issue.key, kind, to: [to] });
    if (found) onDone(found);
  };
  return <IssuePicker label={`${kind}: ${words.relateWhat}`} at={at} without={issue.id} onChoose={(key) => void relate(key)} onClose={onClose} />;
}

interface IssuePickerProps {
  readonly label: string;
  readonly at: Element | null;
  readonly without: number;
  readonly onChoose: (key: string) => void;
  readonly onClose: () => void;
}

/** Another issue, by its key or by words. */
function IssuePicker({ label, at, without, onChoose, onClose }: IssuePickerProps) {
  const others = tables.issue.all().filter((one) => one.id !== without);
  others.sort((one, other) => other.updated_at - one.updated_at);
  const options = others.map((one) => ({ value: one.key, title: `${one.key} ${one.title}` }));
  return <Picker label={label} at={at} options={options} most={MOST} chosen={[]} onChoose={onChoose} onClose={onClose} />;
}
