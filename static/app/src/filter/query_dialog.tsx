/** The query as text: completed and checked by the server while one writes, and why an issue is in it or not. */
import { useEffect, useState } from "preact/hooks";
import { Problem, type TqlExplained, type TqlFault } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { away, server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { QueryLine } from "./query_line.tsx";
import { setTql, tql } from "./state.ts";
import { words } from "./words.ts";

const CALM_MS = 150;

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
  const place = here.peek();
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
        <QueryLine
          told={{ "aria-label": words.query, placeholder: words.queryWhat }}
          label={words.query}
          text={text}
          project={place.name === "project" ? place.key : undefined}
          onText={setText}
          onEnter={show}
        />
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
