/** What is to be ticked off on an issue. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckItem, Checklist as List } from "@kbwork/client";
import { choose } from "../issues/asked.ts";
import type { Issue } from "../store/kinds.ts";
import { away, server } from "../store/server.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { exactly, t } from "../ui/texts.ts";
import { act } from "./act.ts";
import { details, show } from "./details.ts";
import { words } from "./texts.ts";

interface ChecklistProps {
  readonly issue: Issue;
  readonly list: List;
  /** Somebody wants to add to it: the line for that has the focus. */
  readonly begun: boolean;
}

export function Checklist({ issue, list, begun }: ChecklistProps) {
  const [text, setText] = useState("");
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (begun) line.current?.focus();
  }, [begun]);
  if (!list.items.length && !begun) return null;
  /** The next one can be written meanwhile; what does not go comes back. */
  const add = async (said: string): Promise<void> => {
    if (!said.trim()) return;
    setText("");
    const found = await act(`${words.checklist} ${issue.key}`, "checklists.add", { key: issue.key, text: said });
    if (found) put(issue, found);
    else setText((now) => now || said);
  };
  return (
    <section aria-label={words.checklist}>
      <h2 class="bar">
        {words.checklist}
        {list.total > 0 && (
          <>
            <progress class="grow-less" max={list.total} value={list.done} aria-label={words.checklist} />
            <span class="meta">{words.progress(list.done, list.total)}</span>
          </>
        )}
      </h2>
      <ul class="checks">
        {list.items.map((item) => <Item key={item.id} issue={issue} list={list} item={item} />)}
      </ul>
      {list.can_edit && (
        <input
          ref={line}
          class="quiet"
          aria-label={words.addItem}
          title={words.addItemWhat}
          placeholder={words.addItem}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData("text/plain") ?? "";
            if (!pasted.trim().includes("\n")) return;
            event.preventDefault();
            void add(withoutMarks(pasted));
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.isComposing) void add(text);
            else if (event.key === "Escape") event.currentTarget.blur();
            else return;
            event.stopPropagation();
          }}
        />
      )}
      {list.can_edit && <button type="button" class="plain small" onClick={(event) => void offer(issue, event.currentTarget)}>{words.fromTemplate}</button>}
    </section>
  );
}

/** What is the same each time: first what is for issues of its type. */
async function offer(issue: Issue, at: Element): Promise<void> {
  const { key, type } = issue;
  try {
    const all = await server.checklists.templates();
    const apply = async (template: number): Promise<void> => {
      const found = await act(`${words.checklist} ${key}`, "checklists.apply", { key, template });
      if (found) put(issue, found);
    };
    const sorted = all.toSorted((one, other) => Number(other.kind === type) - Number(one.kind === type));
    if (all.length) choose({ label: words.fromTemplate, at, options: sorted.map(({ id, name }) => ({ title: name, run: () => void apply(id) })) });
    else say(words.noTemplate);
  } catch (error) {
    say(away(error) ? t.noAnswer : (error as Error).message);
  }
}

/** Lines of a list that was written elsewhere, without what stood before them. */
function withoutMarks(text: string): string {
  return text.replace(/^[ \t]*(?:[-*+•] (?:\[[ xX]\] )?|\d+[.)] )/gm, "");
}

function put(issue: Issue, checklist: List): void {
  const whole = details.value.get(issue.id)?.whole;
  if (whole) show(issue.id, { whole: { ...whole, checklist: { ...checklist } } });
}

function Item({ issue, list, item }: { issue: Issue; list: List; item: CheckItem }) {
  /** What is written and not kept yet: others may tick something off meanwhile. */
  const [written, setWritten] = useState<string>();
  const dropped = useRef(false);
  const tick = async (): Promise<void> => {
    const done = !item.done;
    const items = list.items.map((one) => (one.id === item.id ? { ...one, done } : one));
    put(issue, { ...list, items, done: list.done + (done ? 1 : -1) });
    const found = await act(words.item(item.text), "checklists.update", { id: item.id, done });
    put(issue, found ?? list);
  };
  const rename = async (): Promise<void> => {
    if (written?.trim() && written !== item.text && !dropped.current) {
      const found = await act(words.item(item.text), "checklists.update", { id: item.id, text: written });
      if (!found) return; // it stays there
      put(issue, found);
    }
    dropped.current = false;
    setWritten(undefined);
  };
  const remove = async (): Promise<void> => {
    const items = list.items.filter((one) => one.id !== item.id);
    const less = { ...list, items, total: list.total - 1, done: list.done - (item.done ? 1 : 0) };
    if (await act(words.item(item.text), "checklists.delete", { id: item.id })) put(issue, less);
  };
  return (
    <li class={item.done ? "check done" : "check"}>
      <input
        type="checkbox"
        checked={item.done}
        disabled={!list.can_edit}
        aria-label={item.text}
        title={item.done_at ? exactly(item.done_at) : ""}
        onChange={() => void tick()}
      />
      <input
        class="quiet grow"
        dir="auto"
        aria-label={words.item(item.text)}
        readOnly={!list.can_edit}
        value={written ?? item.text}
        onInput={(event) => setWritten(event.currentTarget.value)}
        onBlur={() => void rename()}
        onKeyDown={(event) => {
          dropped.current = event.key === "Escape";
          if (event.key !== "Escape" && (event.key !== "Enter" || event.isComposing)) return;
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
      {list.can_edit && (
        <button type="button" class="mini" aria-label={words.deleteItem(item.text)} title={words.deleteItem(item.text)} onClick={() => void remove()}>
          <Icon of="close" />
        </button>
      )}
    </li>
  );
}
