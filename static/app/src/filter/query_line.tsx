/** A query as it is written: proposals come while one writes, and are taken by Tab. */
import { useRef, useState } from "preact/hooks";
import type { TqlCompletion } from "@kbwork/client";
import { server } from "../store/server.ts";

const MOST_PROPOSED = 8;
const MOST_ROWS = 8;

interface QueryLineProps {
  /** What the box has beside its text. */
  readonly told: Readonly<Record<string, unknown>>;
  /** What the list of proposals is called. */
  readonly label: string;
  readonly text: string;
  /** Whose lanes and fields are proposed. */
  readonly project: string | undefined;
  readonly onText: (text: string) => void;
  /** Without it, Enter begins another line. */
  readonly onEnter?: () => void;
}

export function QueryLine({ told, label, text, project, onText, onEnter }: QueryLineProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [offered, setOffered] = useState<readonly TqlCompletion[]>([]);
  const [on, setOn] = useState(0);
  const turn = useRef(0);
  /** What was proposed for another text is not offered meanwhile. */
  const look = async (): Promise<void> => {
    const mine = ++turn.current;
    setOffered([]);
    const { value, selectionEnd: cursor } = box.current!;
    const found = await server.tql.complete({ tql: value, cursor, project }).catch((): TqlCompletion[] => []); // who writes goes on
    if (mine !== turn.current || box.current?.value !== value) return;
    setOffered(found.slice(0, MOST_PROPOSED));
    setOn(0);
  };
  /** Into the box itself, at once: what is typed before the next frame goes behind it. */
  const take = (one: TqlCompletion): void => {
    box.current!.focus();
    box.current!.setRangeText(one.insert, one.from, one.to, "end");
    onText(box.current!.value);
    void look();
  };
  return (
    <div class="query-line">
      <textarea
        {...told}
        ref={box}
        class="mono"
        rows={Math.min(MOST_ROWS, text.split("\n").length + 1)}
        spellcheck={false}
        aria-autocomplete="list"
        value={text}
        onInput={(event) => {
          onText(event.currentTarget.value);
          void look();
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (onEnter && event.key === "Enter" && !event.shiftKey) onEnter();
          else if (event.key === " " && event.ctrlKey) void look();
          else if (event.key === "Tab" && !event.shiftKey && offered[on]) take(offered[on]);
          else if (offered.length && event.key === "ArrowDown") setOn((on + 1) % offered.length);
          else if (offered.length && event.key === "ArrowUp") setOn((on - 1 + offered.length) % offered.length);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="proposed" aria-label={label}>
        {offered.map((one, at) => (
          <li key={one.kind + one.label}>
            <button type="button" tabIndex={-1} class={at === on ? "chip on" : "chip"} title={one.detail ?? one.kind} onClick={() => take(one)}>
              {one.label}
            </button>
          </li>
        ))}
        {offered.length > 0 && <li class="meta"><kbd>Tab</kbd></li>}
      </ul>
    </div>
  );
}
