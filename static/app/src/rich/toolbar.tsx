/** What can be done with the words that are chosen, and with the table in which one writes. */
import type { Editor } from "@tiptap/core";
import { isInTable } from "@tiptap/pm/tables";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { written } from "../ui/commands.ts";
import { aside } from "../ui/direction.ts";
import { TABLE } from "./forms.ts";
import { words } from "./texts.ts";

interface Tool {
  readonly title: string;
  readonly sign: string;
  readonly keys?: string;
  readonly on?: boolean;
  readonly run: () => void;
}

export function Toolbar({ editor, onLink }: { editor: Editor; onLink: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** The one that Tab leads to. */
  const [at, setAt] = useState(0);
  useEffect(() => {
    const draw = (): void => redraw(undefined);
    editor.on("transaction", draw);
    return () => void editor.off("transaction", draw);
  }, [editor]);
  const mark = (title: string, sign: string, name: string, keys: string): Tool => ({
    title, sign, keys, on: editor.isActive(name), run: () => void editor.chain().focus().toggleMark(name).run(),
  });
  const tools: Tool[] = [
    mark(words.bold, "B", "bold", "$mod+b"),
    mark(words.italic, "I", "italic", "$mod+i"),
    mark(words.strike, "S", "strike", "$mod+Shift+s"),
    mark(words.inlineCode, "‹›", "code", "$mod+e"),
    { title: words.link, sign: "↗", keys: "$mod+k", on: editor.isActive("link"), run: onLink },
    ...(isInTable(editor.state) ? TABLE.map(({ title, icon, run }) => ({ title, sign: icon, run: () => run(editor) })) : []),
  ];
  const go = (event: KeyboardEvent): void => {
    const step = aside(event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0);
    if (event.key === "Escape") {
      event.stopPropagation();
      editor.view.focus();
    }
    if (!step) return;
    event.preventDefault();
    const next = (Math.min(at, tools.length - 1) + step + tools.length) % tools.length;
    setAt(next);
    box.current!.querySelectorAll("button")[next]!.focus();
  };
  return (
    <div ref={box} class="tools" role="toolbar" aria-label={words.tools} onKeyDown={go}>
      {tools.map(({ title, sign, keys, on, run }, place) => (
        <button
          key={title}
          type="button"
          class={`mini tool-${sign}`}
          tabIndex={place === Math.min(at, tools.length - 1) ? 0 : -1}
          aria-label={title}
          title={keys ? `${title} (${written(keys)})` : title}
          {...(on !== undefined && { "aria-pressed": on })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
