/** A query as it is written, and what it finds. */
import type { QueryResult } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { wordsOf } from "../parts/asked.ts";
import { csv, save } from "./file.ts";
import { w } from "./texts.ts";

const ROWS = 8;
const MOST_ROWS = 24;
const ASK_MS = 30_000;
const SHOWN = 200;

interface QueryProps {
  readonly sql: string;
  readonly shut: boolean;
  readonly onSql: (sql: string) => void;
  /** What the box has beside its text. */
  readonly told: Readonly<Record<string, unknown>>;
  readonly children?: preact.ComponentChildren;
}

export function Query({ sql, shut, onSql, told, children }: QueryProps) {
  const [found, setFound] = useState<QueryResult>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      setFound(await server.analytics.query({ sql }, { timeoutMs: ASK_MS }));
    } catch (error) {
      setFound(undefined);
      setWrong(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <textarea
        {...told}
        class="mono"
        aria-label={w.query}
        rows={Math.min(MOST_ROWS, Math.max(ROWS, sql.split("\n").length + 1))}
        spellcheck={false}
        disabled={shut}
        value={sql}
        onInput={(event) => onSql(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing || busy) return;
          event.preventDefault();
          void ask();
        }}
      />
      <span class="meta">{w.queryWhat}</span>
      <div class="bar filters">
        <button type="button" disabled={busy || !sql.trim()} onClick={() => void ask()}>{busy ? w.asking : w.asks}</button>
        {!sql.trim() && (
          <select aria-label={w.begin} value="" onChange={(event) => onSql(w.samples[Number(event.currentTarget.value)]!.sql)}>
            <option value="" disabled>{w.begin}</option>
            {w.samples.map(({ title }, at) => <option key={title} value={at}>{title}</option>)}
          </select>
        )}
        {children}
        {found && <span class="meta" role="status">{w.answered(found.rows.length, found.ms, found.truncated)}</span>}
      </div>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      {found && <Rows columns={found.columns} rows={found.rows} />}
    </>
  );
}

export function Rows({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly unknown[])[] }) {
  if (!rows.length) return <p class="none">{w.nothing}</p>;
  return (
    <>
      <div class="table found" role="region" aria-label={w.answer} tabIndex={0}>
        <table>
          <thead><tr>{columns.map((name, at) => <th key={at} scope="col" class={isNumber(rows, at) ? "number" : ""}>{name}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row, at) => (
              <tr key={at}>{row.map((value, place) => <td key={place} dir="auto" class={isNumber(rows, place) ? "number" : ""}>{said(value)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="bar"><button type="button" onClick={() => save(w.csvName, csv(columns, rows), "text/csv")}>{w.csv}</button></div>
    </>
  );
}

/** Whether what stands there is read from the right. */
function isNumber(rows: readonly (readonly unknown[])[], at: number): boolean {
  return rows.every((row) => typeof row[at] === "number" || row[at] === null);
}

function said(value: unknown): string {
  return value === null ? "" : typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
}
