/** Setting an own field of an issue: shown at once and sent as other fields are, and told where it is written if it is refused. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { pathOf } from "../issues/own.tsx";
import { change, settle, type Trouble, troubles, waiting } from "../store/changes.ts";
import type { Issue, OwnField } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { random } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { t } from "../ui/texts.ts";
import { OwnEditor } from "./editor.tsx";

interface OfIssueProps {
  readonly issue: Issue;
  readonly field: OwnField;
  readonly value: unknown;
  /** Up to which event of the issue the value is known. */
  readonly seq: number;
  readonly at: Element | null;
  /** Values are not among what is kept: shown from here until they are fetched again. */
  readonly onShow: (value: unknown) => void;
  /** It is missing for a change of type, which is made anew with it; undefined: it is set by itself. */
  readonly onConvert: ((value: unknown) => void) | undefined;
  readonly onClose: () => void;
}

export function OwnEditorOfIssue({ issue, field, value, seq, at, onShow, onConvert, onClose }: OfIssueProps) {
  const open = useRef(true);
  useEffect(() => () => {
    open.current = false;
  }, []);
  const path = pathOf(field.key);
  const before = troubles.peek().get(issue.id)?.find((one) => isRefusal(one) && path in one.change.over);
  const set = async (next: unknown): Promise<string | undefined> => {
    if (onConvert) {
      onConvert(next);
      return undefined; // what is wrong is told on the page
    }
    const group = random();
    // What others made of it is not written over before it was seen here.
    const known = issue.seq > seq ? seq : place.seq;
    onShow(next);
    change(issue, t.changed(field.name, issue.key), { [path]: next }, "issues.update", { key: issue.key, values: { [field.key]: next } }, group, known);
    const trouble = await answered(issue.id, group);
    if (!trouble || !isRefusal(trouble)) return undefined; // what others made of it is told on the page
    if (open.current) {
      settle(issue.id, trouble.change.title); // it is read here
      onShow(value);
    }
    return trouble.detail;
  };
  const refused = before && { value: before.change.over[path], why: before.detail };
  return <OwnEditor field={field} value={value} at={at} of={String(issue.id)} refused={refused} onSet={set} onClose={onClose} />;
}

function isRefusal({ others }: Trouble): boolean {
  return others.length === 0;
}

/** Until the server said something to it, or is known not to answer: it waits then. */
function answered(issue: number, group: string): Promise<Trouble | undefined> {
  return new Promise((go) => {
    const stop = effect(() => {
      if (waiting.value.some((one) => one.group === group) && offlineSince.value === undefined) return;
      const trouble = troubles.peek().get(issue)?.find((one) => one.change.group === group);
      queueMicrotask(() => (stop(), go(trouble)));
    });
  });
}
