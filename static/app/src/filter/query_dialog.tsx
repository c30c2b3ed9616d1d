/** The query as text: completed and checked by the server while one writes, and why an issue is in it or not. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, type TqlCompletion, type TqlExplained, type TqlFault } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { away, server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { setTql, tql } from "./state.ts";
import { words } from "./words.ts";

const CALM_MS = 150;
const MOST_PROPOSED = 8;

interface Read {
  readonly text: string;
  readonly faults: readonly TqlFault[];
  readonly notices: readonly string[];
  readonly count: number | undefined;
  /** What it means, in words. */
  readonly meaning: string;
  readonly wrong: string | undefined;
}

async function readOf(text: string): Promise<Read> {
  const nothing = { text, faults: [], notices: [], count: undefined, meaning: "", wrong: undefined };
  try {
    const { ok, errors, notices } = await server.tql.check({ tql: text });
    if (!ok) return { ...nothing, faults: errors };
    const [{ count }, { text: meaning }] = await server.batch([
      ["tql.count", { tql: text }],
      ["tql.explain", { tql: text }],
    ]);
    return { ...nothing, notices, count, meaning };
  } catch (error) {
    if (!(error instanceof Problem) && !away(error)) throw error;
    return { ...nothing, wrong: away(error) ? words.noAnswer : (error as Problem).detail };
  }
}

export function QueryDialog() {
  const [text, setText] = useState(() => tql.peek());
  const [read, setRead] = useState<Read>();
  useEffect(() => {
    let late = false;
    const timer = setTimeout(() => void readOf(text).then((found) => late || setRead(found)), CALM_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text]);
  const [fault] = read?.text === text ? read.faults : [];
  const show = (): void => {
    if (fault) return;
    setTql(text.trim());
    dismiss();
  };
  return (
    <Layer label={words.query} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <h2 class="bar">
          <span class="grow">{words.query}</span>
          <a class="meta" href="/docs/tql" target="_blank" rel="noopener">{words.manual}</a>
        </h2>
        <Line text={text} onText={setText} onShow={show} />
        {read && <Told read={read} fault={fault} onText={setText} />}
        <Why text={text} />
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={dismiss}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={fault !== undefined}>{words.show}</button>
        </div>
      </form>
    </Layer>
  );
}

function Told({ read, fault, onText }: { read: Read; fault: TqlFault | undefined; onText: (text: string) => void }) {
  if (read.wrong) return <p class="wrong" role="alert">{read.wrong}</p>;
  if (!fault) {
    return (
      <p role="status">
        {read.count !== undefined && <strong>{words.finds(read.count)}</strong>} <span class="meta">{read.meaning}</span>
        {read.notices.map((notice) => <span class="meta" key={notice}> {notice}</span>)}
      </p>
    );
  }
  const line = read.text.split("\n")[fault.line - 1] ?? "";
  const column = fault.column - 1;
  return (
    <div role="alert">
      <pre class="fault">
        {line.slice(0, column)}
        <mark>{line.slice(column, column + Math.max(1, fault.length)) || " "}</mark>
        {line.slice(column + Math.max(1, fault.length))}
      </pre>
      <p class="wrong">{fault.message}</p>
      <p class="bar wraps">
        {fault.suggestions.map(({ replace, with: better }) => (
          <button key={better} type="button" class="chip" onClick={() => onText(put(read.text, fault.position, replace.length || fault.length, better))}>
            {words.instead(better)}
          </button>
        ))}
        {!fault.suggestions.length && fault.expected.length > 0 && <span class="meta">{words.expected(fault.expected)}</span>}
      </p>
    </div>
  );
}

function put(text: string, at: number, length: number, better: string): string {
  return text.slice(0, at) + better + text.slice(at + length);
}

/** Where it is written: proposals come while one writes, and are taken by Tab. */
function Line({ text, onText, onShow }: { text: string; onText: (text: string) => void; onShow: () => void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [offered, setOffered] = useState<readonly TqlCompletion[]>([]);
  const [on, setOn] = useState(0);
  const turn = useRef(0);
  /** What was proposed for another text is not offered meanwhile. */
  const look = async (): Promise<void> => {
    const mine = ++turn.current;
    setOffered([]);
    const { value, selectionEnd: cursor } = box.current!;
    const place = here.peek();
    const project = place.name === "project" ? place.key : undefined;
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
        ref={box}
        class="mono"
        rows={Math.min(8, text.split("\n").length + 1)}
        spellcheck={false}
        aria-label={words.query}
        aria-autocomplete="list"
        placeholder={words.queryWhat}
        value={text}
        onInput={(event) => {
          onText(event.currentTarget.value);
          void look();
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter" && !event.shiftKey) onShow();
          else if (event.key === " " && event.ctrlKey) void look();
          else if (event.key === "Tab" && !event.shiftKey && offered[on]) take(offered[on]);
          else if (offered.length && event.key === "ArrowDown") setOn((on + 1) % offered.length);
          else if (offered.length && event.key === "ArrowUp") setOn((on - 1 + offered.length) % offered.length);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="proposed" aria-label={words.query}>
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

/** Of an issue that one names, which conditions hold. */
function Why({ text }: { text: string }) {
  const [key, setKey] = useState("");
  const [found, setFound] = useState<{ key: string; told: TqlExplained } | string>();
  const ask = async (): Promise<void> => {
    const asked = key.trim().toUpperCase();
    if (!asked) return setFound(undefined);
    try {
      setFound({ key: asked, told: await server.tql.explain({ tql: text, key: asked }) });
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setFound(away(error) ? words.noAnswer : (error as Problem).detail);
    }
  };
  return (
    <details class="why">
      <summary>{words.why}</summary>
      <p class="bar">
        <input
          class="line"
          aria-label={words.whyKey}
          placeholder="WEB-12"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            void ask();
          }}
        />
        <button type="button" onClick={() => void ask()}>{words.why.split(",")[0]}</button>
      </p>
      {typeof found === "string" && <p class="wrong">{found}</p>}
      {typeof found === "object" && <Parts issueKey={found.key} told={found.told} />}
    </details>
  );
}

function Parts({ issueKey, told: { parts } }: { issueKey: string; told: TqlExplained }) {
  const isIn = parts.every((part) => part.matched !== false);
  return (
    <>
      <p><strong>{isIn ? words.isIn(issueKey) : words.isOut(issueKey)}</strong></p>
      <ul>
        {parts.map((part) => (
          <li key={part.part} class={part.matched === false ? "wrong" : ""}>
            {part.matched === false ? "✗" : "✓"} <code>{part.part}</code> <span class="meta">{part.matched === false ? words.fails : words.holds}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
