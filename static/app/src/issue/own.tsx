/** The own fields of an issue: short ones among its other fields, texts below them. */
import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { In } from "@kbwork/client";
import { askedOf, isFillable, isLink, type LaidOut, OwnChip } from "../issues/own.tsx";
import { OwnEditorOfIssue } from "../screens/parts.tsx";
import { type Change, change, type Trouble, troubles } from "../store/changes.ts";
import type { Issue } from "../store/kinds.ts";
import { may } from "../store/session.ts";
import { offer } from "../ui/commands.ts";
import { Part } from "../ui/later.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { t } from "../ui/texts.ts";
import { type Details, ownOf, showOwn } from "./details.ts";

/** A text of so many characters has room of its own. */
const LONG = 80;

interface Held extends LaidOut {
  readonly value: unknown;
}

/** What is begun at an element. */
export type Choices = readonly { readonly title: string; readonly run: (at: Element) => void }[];

interface Own {
  readonly chips: readonly Held[];
  readonly texts: readonly Held[];
  /** Those that are not there yet, and what is shown as a link. */
  readonly more: Choices;
  /** Begins to change one; undefined: it is only to be read. */
  readonly begin: (one: Held) => ((at: Element) => void) | undefined;
  readonly editor: VNode | false | undefined;
}

export function useOwn(issue: Issue, found: Details | undefined): Own {
  const [editing, setEditing] = useState<{ key: string; at: Element | null }>();
  const canEdit = may("issues:write") && found?.whole.can.edit === true;
  const refused = canEdit ? troubles.value.get(issue.id)?.find(isConversion)?.change : undefined;
  const wanted = refused && found ? wantedBy(refused, found) : [];
  const own: readonly Held[] = found ? ownOf(issue, found) : [];
  const all = [...own.filter(({ field }) => !wanted.some((one) => one.field === field)), ...wanted];
  const settable = canEdit ? all.filter(({ field }) => isFillable(field)) : [];
  // With the fields themselves: whoever sees one finds it in the palette.
  useLayoutEffect(() => {
    if (settable.length) OwnEditorOfIssue.fetch().catch(() => undefined); // it comes when it is needed, then
    return offer(settable.map(({ field: { key, name } }) => ({
      id: `own:${key}`,
      title: t.change(name),
      group: t.issue,
      run: () => setEditing({ key, at: document.querySelector(`article.issue [data-own="${key}"]`) }),
    })));
  }, [issue.id, settable.map(({ field: { key, name } }) => key + name).join()]);
  const edited = all.find(({ field }) => field.key === editing?.key);
  return {
    chips: all.filter((one) => !isText(one) && (one.value !== null || one.needed)),
    texts: all.filter(isText),
    more: settable
      .filter(({ field, value, needed }) => (value === null ? !needed : isLink(field)))
      .map(({ field: { key, name } }) => ({ title: name, run: (at) => setEditing({ key, at }) })),
    begin: (one) => (settable.includes(one) ? (at) => setEditing({ key: one.field.key, at }) : undefined),
    editor: editing && edited && found && (
      <Part
        of={OwnEditorOfIssue}
        props={{
          ...edited,
          issue,
          at: editing.at,
          seq: found.whole.seq,
          onShow: (value) => showOwn(issue.id, editing.key, value),
          onConvert: refused && wanted.includes(edited) ? (value) => convert(issue, refused, editing.key, value) : undefined,
          onClose: () => setEditing(undefined),
        }}
        above
      />
    ),
  };
}

/** A change of type that the server refused. */
function isConversion({ change: { op }, others }: Trouble): boolean {
  return op === "issues.convert" && !others.length;
}

/** What issues of that type must have and this one has not, as it was said meanwhile. */
function wantedBy({ input }: Change, { whole, layouts }: Details): Held[] {
  const { type, values } = input as In<"issues.convert">;
  const missing = askedOf(layouts, whole.project, type).filter(({ field, needed }) => needed && whole.values[field.key] === undefined);
  return missing.map((one) => ({ ...one, value: values?.[one.field.key] ?? null }));
}

/** Anew, with what was missing. */
function convert(issue: Issue, { title, over, input, group }: Change, key: string, value: unknown): void {
  const before = input as In<"issues.convert">;
  change(issue, title, over, "issues.convert", { ...before, values: { ...before.values, [key]: value } }, group);
}

function isText({ field: { kind }, value }: Held): boolean {
  return typeof value === "string" && (kind === "paragraph" || (kind === "text" && value.length > LONG));
}

export function OwnChips({ of: { chips, begin } }: { of: Own }) {
  return (
    <>
      {chips.map((one) => {
        const { field, value, needed } = one;
        const onEdit = isLink(field) && value !== null ? undefined : begin(one);
        return <OwnChip key={field.key} field={field} value={value} needed={needed && value === null} onEdit={onEdit} />;
      })}
    </>
  );
}

export function OwnTexts({ of: { texts, begin } }: { of: Own }) {
  return (
    <>
      {texts.map((one) => {
        const { field: { key, kind, name }, value } = one;
        const onEdit = begin(one);
        return (
          <section key={key} aria-label={name}>
            <h2 class="bar">
              {name}
              {onEdit && (
                <button type="button" class="plain" data-own={key} aria-label={t.change(name)} onClick={(event) => onEdit(event.currentTarget)}>
                  {t.edit}
                </button>
              )}
            </h2>
            {kind === "paragraph" ? <Markdown text={String(value)} /> : <p class="prose" dir="auto">{String(value)}</p>}
          </section>
        );
      })}
    </>
  );
}
