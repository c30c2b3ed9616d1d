/** A text as it will be read, while it is written: what is kept of it is Markdown. */
import { Editor, type EditorOptions } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import { Dropcursor, Gapcursor, Placeholder, UndoRedo } from "@tiptap/extensions";
import type { Node } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { attach, mention } from "../talk/attach.ts";
import { Offered } from "../talk/offered.tsx";
import { type Proposal, proposals } from "../talk/proposals.ts";
import type { Topic } from "../talk/topic.ts";
import { formsFor } from "./forms.ts";
import { Keys } from "./keys.ts";
import { LinkDialog } from "./link.tsx";
import { pasting, sliceOf } from "./paste.ts";
import { patch, trailOf } from "./patch.ts";
import { KINDS } from "./schema.ts";
import { Sheet } from "./sheet.ts";
import { Shown } from "./shown.ts";
import style from "./style.css";
import { words } from "./texts.ts";
import { Toolbar } from "./toolbar.tsx";

export { style };
export { Together } from "./together.ts";

interface RichTextProps {
  readonly label: string;
  readonly value: string;
  /** Where pasted files go. */
  readonly topic: Topic;
  readonly onInput: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel?: () => void;
  /** It takes the focus when it comes. */
  readonly focused?: boolean;
}

/** What could stand where the cursor is, and where that is shown: below it, or above where the window ends. */
interface Offer {
  readonly list: readonly Choice[];
  readonly at: Readonly<Record<"left" | "top" | "bottom", string>>;
}

const OFFER_WIDTH = 280;
const OFFER_HEIGHT = 340;
const GAP = 4;

interface Choice {
  readonly title: string;
  readonly hint: string;
  readonly run: () => void;
}

export function RichText(props: RichTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef(props);
  now.current = props;
  const [editor, setEditor] = useState<Editor>();
  const sheet = useRef<Sheet>(undefined);
  const [offer, setOffer] = useState<Offer>();
  const [on, setOn] = useState(0);
  const [link, setLink] = useState<string>();
  const id = useId();
  const keys = useRef<(event: KeyboardEvent) => boolean>(() => false);

  useLayoutEffect(() => {
    const made = editorAt(place.current!, {
      onUpdate({ editor: { state } }) {
        if (sheet.current && !applying.has(made)) now.current.onInput(sheet.current.changed(state.doc));
      },
      editorProps: {
        attributes: { role: "textbox", "aria-multiline": "true", "aria-label": props.label, class: "prose", dir: "auto" },
        handleKeyDown: (_, event) => keys.current(event),
        ...pasting(() => sheet.current!, send),
      },
    });
    sheet.current = new Sheet(made.schema);
    show(made, sheet.current, now.current.value);
    made.view.dispatch(made.state.tr.setSelection(Selection.atStart(made.state.doc)));
    if (now.current.focused) made.view.focus();
    setEditor(made);
    return () => made.destroy();
  }, []);
  useLayoutEffect(() => {
    if (!editor || props.value === sheet.current!.text) return;
    // What is being composed would be torn apart.
    if (!editor.view.composing) return show(editor, sheet.current!, props.value);
    const later = (): void => void setTimeout(() => editor.isDestroyed || now.current.value === sheet.current!.text || show(editor, sheet.current!, now.current.value));
    editor.view.dom.addEventListener("compositionend", later, { once: true });
    return () => editor.view.dom.removeEventListener("compositionend", later);
  }, [editor, props.value]);
  useEffect(() => {
    if (!editor) return;
    const look = (): void => {
      setOffer(editor.view.hasFocus() && editor.isEditable ? offerAt(editor, now.current.topic, place.current!, addPicture) : undefined);
      setOn(0);
    };
    const end = (): void => setOffer(undefined);
    editor.on("transaction", look);
    editor.on("blur", end);
    return () => {
      editor.off("transaction", look);
      editor.off("blur", end);
    };
  }, [editor]);

  const send = (files: readonly File[]): void =>
    void attach(now.current.topic, files).then((found) => {
      const view = editorOf(place.current);
      if (found.length && view) insert(view, sheet.current!.pasted(found.map(mention).join("\n")));
    });
  const addPicture = (): void => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = "image/*";
    input.addEventListener("change", () => send([...(input.files ?? [])]));
    input.click();
  };
  const list = offer?.list ?? [];
  const askLink = (): void => setLink((editor!.getAttributes("link")["href"] as string | undefined) ?? "");
  keys.current = (event) => {
    if (event.isComposing) return false;
    const command = (event.metaKey || event.ctrlKey) && !event.altKey;
    if (event.key === "Enter" && command) now.current.onSend();
    else if (list.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) setOn((on + (event.key === "ArrowDown" ? 1 : -1) + list.length) % list.length);
    else if (list.length && (event.key === "Enter" || event.key === "Tab")) list[on]!.run();
    else if (event.key === "Escape") {
      if (list.length) setOffer(undefined);
      else if (now.current.onCancel) now.current.onCancel();
      else editor?.view.dom.blur();
    } else if (command && !event.shiftKey && event.key.toLowerCase() === "k") askLink();
    else if (event.altKey && event.key === "F10") place.current!.parentElement!.querySelector<HTMLElement>('.tools [tabindex="0"]')?.focus();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  useEffect(() => {
    const dom = editor?.view.dom;
    if (!dom) return;
    dom.setAttribute("aria-autocomplete", "list");
    for (const [name, value] of [["aria-controls", id], ["aria-activedescendant", `${id}-${on}`]] as const) {
      if (list.length) dom.setAttribute(name, value);
      else dom.removeAttribute(name);
    }
    document.getElementById(`${id}-${on}`)?.scrollIntoView({ block: "nearest" });
  }, [editor, list.length, on]);
  const leadTo = (href: string, written: string): void => {
    setLink(undefined);
    const chain = editor!.chain().focus().extendMarkRange("link");
    const { empty } = editor!.state.selection;
    if (!href) chain.unsetMark("link").run();
    else if (empty && !editor!.isActive("link")) chain.insertContent({ type: "text", text: written, marks: [{ type: "link", attrs: { href } }] }).run();
    else chain.setMark("link", { href }).run();
  };
  return (
    <div class="rich writing">
      {editor && <Toolbar editor={editor} onLink={askLink} />}
      <div ref={place} class="sheet" />
      {list.length > 0 && <Offered id={id} label={props.label} list={list} on={on} onTake={(one) => one.run()} at={offer!.at} />}
      {link !== undefined && <LinkDialog href={link} onSet={leadTo} onClose={() => setLink(undefined)} />}
    </div>
  );
}

/** Those that take over a text from elsewhere, which is no writing. */
const applying = new WeakSet<Editor>();
const editors = new WeakMap<Element, Editor>();

function editorOf(place: Element | null): Editor | undefined {
  const found = place ? editors.get(place) : undefined;
  return found?.isDestroyed ? undefined : found;
}

function editorAt(element: HTMLElement, more: Partial<EditorOptions>): Editor {
  const made = new Editor({
    element,
    injectCSS: false,
    extensions: [...KINDS, Keys, ListKeymap, UndoRedo, Gapcursor, Dropcursor.configure({ class: "drop-cursor", color: false }), Placeholder.configure({ placeholder: words.begin }), Shown],
    ...more,
  });
  editors.set(element, made);
  return made;
}

/** A text that was not written here: of what is there only that changes which says something else, and the cursor stays. */
function show(editor: Editor, sheet: Sheet, text: string): void {
  const { doc: next, taken } = sheet.become(text);
  const { state: { doc, tr }, view } = editor;
  if (!doc.eq(next)) {
    const begun = trailOf(tr.selection);
    patch(tr, doc, next, 0);
    const { $head } = tr.selection;
    if (begun?.size && $head.parent.isTextblock && $head.parentOffset === $head.parent.content.size && !trailOf(tr.selection)?.size) tr.insert($head.pos, begun);
    applying.add(editor);
    view.dispatch(tr.setMeta("addToHistory", false));
    applying.delete(editor);
  }
  taken(view.state.doc);
}

function insert({ state, view }: Editor, nodes: readonly Node[]): void {
  view.dispatch(state.tr.replaceSelection(sliceOf(nodes)).scrollIntoView());
  view.focus();
}

/** For what stands before the cursor. */
function offerAt(editor: Editor, topic: Topic, place: Element, addPicture: () => void): Offer | undefined {
  const { selection: { empty, $from } } = editor.state;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code || editor.isActive("code")) return undefined;
  const before = $from.parent.textBetween(0, $from.parentOffset, "\n", "\ufffc");
  const slash = /^\/([\p{L}\p{N}_-]*)$/u.exec(before)?.[1];
  const replace = (length: number, text: string): void => editor.view.dispatch(editor.state.tr.insertText(text, $from.pos - length, $from.pos).scrollIntoView());
  const choice = (one: Proposal): Choice => ({ title: one.title, hint: one.hint, run: () => replace(one.length, one.insert) });
  const list =
    slash === undefined
      ? proposals(before, topic).map(choice)
      : formsFor(slash, editor, addPicture, () => editor.view.dispatch(editor.state.tr.insertText("[["))).map(({ title, hint, run }): Choice => ({
          title, hint,
          run() {
            replace(slash.length + 1, "");
            run(editor);
          },
        }));
  if (!list.length) return undefined;
  const spot = spotOf(editor.view, $from.pos);
  const box = place.parentElement!.getBoundingClientRect();
  const isLow = innerHeight - spot.bottom < OFFER_HEIGHT && spot.top > innerHeight / 2;
  const at = {
    left: `${Math.max(0, Math.min(spot.left - box.left, box.width - OFFER_WIDTH))}px`,
    top: isLow ? "auto" : `${spot.bottom - box.top + GAP}px`,
    bottom: isLow ? `${box.bottom - spot.top + GAP}px` : "auto",
  };
  return { list, at };
}

function spotOf(view: EditorView, at: number): { left: number; top: number; bottom: number } {
  try {
    return view.coordsAtPos(at);
  } catch {
    return view.dom.getBoundingClientRect(); // it is not drawn
  }
}
