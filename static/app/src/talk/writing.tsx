/** Where texts are written, in Markdown: people and issues by a few letters, forms by a slash, pictures by pasting them. */
import type { TargetedClipboardEvent, TargetedDragEvent, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { away } from "../store/server.ts";
import { Markdown } from "../ui/markdown.tsx";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { attach, mention } from "./attach.ts";
import { Offered } from "./offered.tsx";
import type { Proposal } from "./proposals.ts";
import { words } from "./texts.ts";
import type { Topic } from "./topic.ts";

interface WritingProps {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  /** It grows with its text to so many. */
  readonly most?: number;
  /** Where pasted files go. */
  readonly topic: Topic;
  readonly onInput: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel?: () => void;
  /** It takes the focus when it comes. */
  readonly focused?: boolean;
}

const MARKS: Readonly<Record<string, string>> = { b: "**", i: "*", e: "`" };

/** What could stand there: fetched when somebody begins to write. */
let proposals: ((before: string, topic: Topic) => Proposal[]) | undefined;
let adopt: ((box: HTMLTextAreaElement, text: string) => void) | undefined;

export function Writing({ label, value, rows = 8, most = 24, topic, onInput, onSend, onCancel, focused = false }: WritingProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [offered, setOffered] = useState<readonly Proposal[]>([]);
  const [on, setOn] = useState(0);
  const [previews, setPreviews] = useState(false);
  const [first] = useState(value);
  const [ready, setReady] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    if (focused) box.current?.focus();
  }, []);
  const look = (): void => {
    const { selectionStart: at, selectionEnd: end, value: text } = box.current!;
    setOffered(at === end ? (proposals?.(text.slice(0, at), topic) ?? []) : []);
    setOn(0);
  };
  // What others wrote comes in, and the cursor stays where one writes.
  useLayoutEffect(() => {
    if (!box.current || box.current.value === value) return;
    if (adopt) adopt(box.current, value);
    else box.current.value = value;
  }, [value, previews]);
  useEffect(() => {
    if (ready && document.activeElement === box.current) look(); // they came while one wrote
  }, [topic.offers, ready]);
  const begin = async (): Promise<void> => {
    try {
      ({ proposals, adopt } = await import("./proposals.ts"));
      setReady(true);
    } catch {
      // one writes on without
    }
  };
  const take = ({ length, insert, caret = insert.length, comes }: Proposal): void => {
    const end = box.current!.selectionStart;
    if (comes) {
      const before = box.current!.value.slice(0, end);
      setOffered([]);
      comes().then((text) => {
        if (box.current?.value.startsWith(before)) replace(box.current, end - length, end, text); // else one wrote on
      }, (error: unknown) => say(away(error) ? t.noAnswer : (error as Error).message));
      return;
    }
    replace(box.current!, end - length, end, insert);
    box.current!.setSelectionRange(end - length + caret, end - length + caret);
    setOffered([]);
  };
  const send = (files: readonly File[]): void => {
    void attach(topic, files).then((found) => {
      const text = box.current;
      if (!text || !found.length) return;
      const at = text.selectionEnd;
      const before = text.value.slice(0, at);
      replace(text, at, at, `${before && !before.endsWith("\n") ? "\n" : ""}${found.map(mention).join("\n")}\n`);
    });
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.isComposing) return;
    const command = event.metaKey || event.ctrlKey;
    const mark = command && !event.altKey && !event.shiftKey ? MARKS[event.key] : undefined;
    if (event.key === "Enter" && command) onSend();
    else if (offered.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      setOn((on + (event.key === "ArrowDown" ? 1 : -1) + offered.length) % offered.length);
    } else if (offered.length && (event.key === "Enter" || event.key === "Tab")) take(offered[on]!);
    else if (event.key === "Escape") {
      if (offered.length) setOffered([]);
      else if (onCancel) onCancel();
      else event.currentTarget.blur();
    } else if (mark) surround(event.currentTarget, mark);
    else if (event.key !== "Enter" || event.shiftKey || !goOn(event.currentTarget)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="writing">
      {previews ? (
        <div class="preview"><Markdown text={value} {...topic.around} /></div>
      ) : (
        <textarea
          ref={box}
          rows={Math.max(rows, Math.min(most, value.split("\n").length + 1))}
          dir="auto"
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={offered.length ? id : undefined}
          aria-activedescendant={offered.length ? `${id}-${on}` : undefined}
          placeholder={label}
          defaultValue={first}
          onInput={(event) => {
            onInput(event.currentTarget.value);
            look();
          }}
          onFocus={() => void begin()}
          onClick={look}
          onBlur={() => setOffered([])}
          onKeyDown={onKeyDown}
          onPaste={(event) => pasted(event, send)}
          onDragOver={(event) => event.dataTransfer?.types.includes("Files") && event.preventDefault()}
          onDrop={(event) => dropped(event, send)}
        />
      )}
      {offered.length > 0 && <Offered id={id} label={label} list={offered} on={on} onTake={take} />}
      <p class="bar meta">
        <span class="grow">{words.format}</span>
        <button type="button" class="plain" disabled={!value.trim()} onClick={() => setPreviews(!previews)}>
          {previews ? words.write : words.preview}
        </button>
      </p>
    </div>
  );
}

/** By the browser's own way where it has one, so that its undo knows of it. */
function replace(box: HTMLTextAreaElement, from: number, to: number, text: string): void {
  box.focus();
  box.setSelectionRange(from, to);
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
  box.setRangeText(text, from, to, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

function surround(box: HTMLTextAreaElement, mark: string): void {
  const { selectionStart: from, selectionEnd: to, value } = box;
  replace(box, from, to, mark + value.slice(from, to) + mark);
  box.setSelectionRange(from + mark.length, to + mark.length);
}

/** Behind an item of a list comes the next one; behind an empty one the list ends. Answers whether that was done. */
function goOn(box: HTMLTextAreaElement): boolean {
  const at = box.selectionStart;
  if (at !== box.selectionEnd) return false;
  const start = box.value.lastIndexOf("\n", at - 1) + 1;
  const [whole, dent = "", mark = "", said = ""] = /^(\s*)([-*+] (?:\[[ xX]\] )?|\d+\. |> )(.*)$/.exec(box.value.slice(start, at)) ?? [];
  if (whole === undefined) return false;
  if (!said.trim()) {
    replace(box, start, at, "");
    return true;
  }
  const next = mark.replace(/^\d+/, (number) => String(Number(number) + 1)).replace(/\[[xX]\]/, "[ ]");
  replace(box, at, at, `\n${dent}${next}`);
  return true;
}

function pasted(event: TargetedClipboardEvent<HTMLTextAreaElement>, send: (files: readonly File[]) => void): void {
  const files = [...(event.clipboardData?.files ?? [])];
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (files.length && !text) {
    event.preventDefault();
    send(files);
    return;
  }
  // An address over words makes a link of them.
  const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
  if (from === to || !/^https?:\/\/\S+$/.test(text.trim())) return;
  event.preventDefault();
  replace(event.currentTarget, from, to, `[${value.slice(from, to)}](${text.trim()})`);
}

function dropped(event: TargetedDragEvent<HTMLTextAreaElement>, send: (files: readonly File[]) => void): void {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  send(files);
}
