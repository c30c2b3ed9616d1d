/** What is asked about the page that is shown. */
import { type ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { In, Name, Page } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { isAdmin } from "../store/rights.ts";
import { Sending } from "../store/sending.ts";
import { FormDialog } from "../ui/form_dialog.tsx";
import { say } from "../ui/notes.tsx";
import { Picker } from "../ui/picker.tsx";
import { t } from "../ui/texts.ts";
import { moved } from "./known.ts";
import { shown } from "./menu.tsx";
import { People } from "./people.tsx";
import { words } from "./texts.ts";

const FORMATS = ["pdf", "docx", "html", "md"] as const;
const close = (): void => {
  shown.value = undefined;
};

export function PageDialogs() {
  const asked = shown.value;
  if (!asked) return null;
  if (asked.kind === "pick") return <Picker {...asked} many={asked.many ?? false} onClose={close} />;
  if (asked.kind === "restrict") return <Restrict page={asked.page} />;
  if (asked.kind === "export") return <Export page={asked.page} />;
  return <SaveTemplate page={asked.page} />;
}

interface AskProps<K extends Name> {
  readonly title: string;
  readonly button: string;
  readonly op: K;
  readonly input: () => In<K>;
  readonly onDone: (data: Awaited<ReturnType<Sending["send"]>>["data"]) => void;
  /** What can be taken back is called so. */
  readonly said?: string;
  readonly children: ComponentChildren;
}

/** A form that is sent once, and says what was wrong. */
function Ask<K extends Name>({ title, button, op, input, onDone, said, children }: AskProps<K>) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  const send = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    const { data, seq, wrong: why } = await sending.current.send(op, input());
    setBusy(false);
    if (seq === undefined) return setWrong(why);
    if (said) {
      remember(said, seq);
      say(said);
    }
    moved.value++;
    close();
    onDone(data);
  };
  return <FormDialog title={title} button={busy ? words.preparing : button} busy={busy} wrong={wrong} onSend={send} onClose={close}>{children}</FormDialog>;
}

function Restrict({ page }: { page: Page }) {
  const [view, setView] = useState<readonly string[]>(page.limits?.view ?? []);
  const [edit, setEdit] = useState<readonly string[]>(page.limits?.edit ?? []);
  const input = () => ({ id: page.id, view, edit });
  return (
    <Ask title={words.restrictTitle(page.title)} button={t.save} op="pages.restrict" input={input} onDone={() => say(words.restricted(page.title))}>
      <p class="meta">{words.restrictWhat}</p>
      <People label={words.whoSees} none={words.asSpace} whos={view} onChange={setView} />
      <People label={words.whoChanges} none={words.asSpace} whos={edit} onChange={setEdit} />
    </Ask>
  );
}

function Export({ page }: { page: Page }) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("pdf");
  const [children, setChildren] = useState(false);
  const [comments, setComments] = useState(false);
  const input = () => ({ id: page.id, format, children, comments });
  const save = (made: unknown): void => location.assign((made as { url: string }).url); // the server says that it is to be saved
  return (
    <Ask title={words.exportTitle(page.title)} button={words.download} op="pages.export" input={input} onDone={save}>
      <div role="radiogroup" aria-label={words.exportTitle(page.title)}>
        {FORMATS.map((one) => (
          <label class="bar choice" key={one}><input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} /> {words.formats[one]}</label>
        ))}
      </div>
      {page.counts.children > 0 && <label class="bar"><input type="checkbox" checked={children} onChange={() => setChildren(!children)} /> {words.withBelow}</label>}
      {page.counts.comments > 0 && <label class="bar"><input type="checkbox" checked={comments} onChange={() => setComments(!comments)} /> {words.withComments}</label>}
    </Ask>
  );
}

function SaveTemplate({ page }: { page: Page }) {
  const [name, setName] = useState(page.title);
  const [all, setAll] = useState(false);
  const input = () => ({ name, body: page.body, space: all ? null : page.space, ...(page.icon && { icon: page.icon }) });
  return (
    <Ask title={words.templateTitle} button={t.save} op="pages.template_save" input={input} said={words.templateSaved(name)} onDone={() => undefined}>
      <label class="field">
        {t.name}
        <input value={name} maxLength={200} required autocomplete="off" dir="auto" onInput={(event) => setName(event.currentTarget.value)} />
        <span class="meta">{words.templateWhat}</span>
      </label>
      {isAdmin() && <label class="bar"><input type="checkbox" checked={all} onChange={() => setAll(!all)} /> {words.ofAll}</label>}
    </Ask>
  );
}
