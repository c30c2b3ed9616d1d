/** Setting an own field: chosen from a list, or written into a line. What is written stays until it is taken or thrown away. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { writtenName } from "../issues/own.tsx";
import { draftOf, dropSent, keepDraft } from "../store/drafts.ts";
import type { OwnField } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { Picker } from "../ui/picker.tsx";
import { t } from "../ui/texts.ts";
import { CHOICES, useAssets } from "./choices.tsx";
import { type Form, FORMS } from "./forms.ts";
import { words } from "./texts.ts";

/** Of what there may be thousands, so many are shown. */
const MOST = 50;
/** A text of so many characters has lines to stand in. */
const LONG = 80;

export interface OwnEditorProps {
  readonly field: OwnField;
  /** Null: nothing; undefined: it is not known what. */
  readonly value: unknown;
  readonly at: Element | null;
  /** Whose value it is: what is written of it is found again by this. */
  readonly of: string;
  /** What was set and refused before, and why. */
  readonly refused?: { readonly value: unknown; readonly why: string } | undefined;
  /** Answers why it is not taken; undefined: it is. */
  readonly onSet: (value: unknown) => Promise<string | undefined>;
  readonly onClose: () => void;
}

export function OwnEditor(props: OwnEditorProps) {
  const { field, value, at, onSet, onClose } = props;
  const assets = useAssets(field, value);
  const choosing = assets ?? CHOICES[field.kind]?.(field, value);
  if (choosing) {
    const { valueOf, chosen: held, ...list } = choosing;
    return <Picker {...list} chosen={value === undefined ? [] : held} label={field.name} at={at} most={MOST} onChoose={(chosen) => void onSet(valueOf(chosen))} onClose={onClose} />;
  }
  const form = FORMS[field.kind];
  return form ? <Written key={field.key} form={form} {...props} /> : null;
}

interface Draft {
  readonly text: string;
  /** What stood there when somebody began to write. */
  readonly base: string;
}

function Written({ form, field, value, at, of, refused, onSet, onClose }: OwnEditorProps & { form: Form }) {
  const id = useId();
  const name = writtenName(of, field.key);
  const held = form.write(value);
  const [{ text, base }, setDraft] = useState<Draft>(() => {
    const kept = draftOf(name);
    return kept ? (JSON.parse(kept) as Draft) : { text: refused ? form.write(refused.value) : held, base: held };
  });
  const [wrong, setWrong] = useState(refused?.why);
  const [busy, setBusy] = useState(false);
  const what = useDescription(field);
  const open = useRef(true);
  useEffect(() => () => {
    open.current = false;
  }, []);
  const [isLong] = useState(field.kind === "paragraph" || text.length > LONG || text.includes("\n"));
  const keep = (next: string): void => {
    setDraft({ text: next, base });
    keepDraft(name, JSON.stringify({ text: next, base } satisfies Draft));
  };
  const cancel = (): void => {
    keepDraft(name, "");
    onClose();
  };
  const save = async (): Promise<void> => {
    if (busy) return;
    if (text === held) return cancel();
    const sent = draftOf(name);
    try {
      const next = form.read(text, field, value);
      setBusy(true);
      const why = await onSet(next);
      setWrong(why);
      if (why) return;
    } catch (error) {
      return setWrong((error as Error).message);
    } finally {
      setBusy(false);
    }
    dropSent(name, sent);
    if (open.current) onClose(); // else something else may be open by now
  };
  const about = {
    value: text,
    readOnly: busy,
    "aria-invalid": wrong ? ("true" as const) : undefined,
    "aria-describedby": `${id}-what`,
  };
  return (
    <Layer label={field.name} kind={isLong ? "dialog" : "popover"} at={at} onClose={onClose}>
      <form
        class={isLong ? "create" : "create pad"}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="field">
          {field.name}
          {isLong ? (
            <textarea
              rows={10}
              {...about}
              onInput={(event) => keep(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void save();
              }}
            />
          ) : (
            <input {...form.line} {...about} autocomplete="off" onInput={(event) => keep(event.currentTarget.value)} />
          )}
        </label>
        <div id={`${id}-what`}>
          {(what || form.hint) && <p class="meta">{what || form.hint}</p>}
          {held !== base && <p class="wrong">{words.changed}</p>}
          {wrong && <p class="wrong" role="alert">{wrong}</p>}
        </div>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={cancel}>{t.cancel}</button>
          <button type="submit" class="primary">{t.save}</button>
        </div>
      </form>
    </Layer>
  );
}

/** What to fill in, which is not among what is kept. */
function useDescription({ key }: OwnField): string | undefined {
  const [what, setWhat] = useState<string>();
  useEffect(() => {
    let late = false;
    server.fields.get({ key }).then(({ description }) => late || setWhat(description), () => undefined); // one writes on without
    return () => {
      late = true;
    };
  }, [key]);
  return what;
}
