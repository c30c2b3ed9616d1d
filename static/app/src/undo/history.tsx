/** What one changed in the last day, each with the way back, or with why there is none. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Applied, Undoable } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { waiting } from "../store/changes.ts";
import { away, server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { type Against, lookCloser, MOST, takeBack } from "./taking.ts";
import { words } from "./texts.ts";

const FIRST = 50;

/** How it stands with one that somebody wants back: it is, as it is shown at once, or it did not go. */
type Told = { readonly back: true; readonly kept: Applied["kept"] } | { readonly back: false; readonly against: Against };

export function UndoHistory() {
  const [rows, setRows] = useState<readonly Undoable[]>();
  const [told, setTold] = useState<ReadonlyMap<string, Told>>(new Map());
  const [most, setMost] = useState(FIRST);
  const [wrong, setWrong] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const fetchRows = async (limit: number, place: (found: readonly Undoable[]) => readonly Undoable[]): Promise<void> => {
    try {
      const found = await server.undo.list({ limit });
      setRows(place(found));
      setWrong(undefined);
    } catch (error) {
      setWrong(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  useEffect(() => void fetchRows(most, (found) => found), [most]);
  /** What comes on top meanwhile would move the next one under the pointer: it is there when this is opened again. */
  const again = (): Promise<void> => fetchRows(MOST, (found) => (rows ?? []).map((one) => found.find(({ token }) => token === one.token) ?? one));
  const tell = (token: string, what: Told | undefined): void =>
    setTold((before) => {
      const next = new Map(before);
      if (what) next.set(token, what);
      else next.delete(token);
      return next;
    });
  const back = async (row: Undoable, force: boolean): Promise<void> => {
    tell(row.token, { back: true, kept: [] });
    list.current?.focus(); // its button is gone
    const answer = await takeBack(row, rows ?? [], force);
    if ("why" in answer) return tell(row.token, { back: false, against: answer });
    tell(row.token, { back: true, kept: answer.kept });
    await again();
  };
  const look = async (row: Undoable): Promise<void> => {
    const against = await lookCloser({ token: row.token });
    if ("why" in against) tell(row.token, { back: false, against });
    else await again();
  };
  return (
    <Layer label={t.myChanges} kind="dialog" onClose={dismiss}>
      <div class="create">
        <h2>{t.myChanges}</h2>
        <p class="meta">{words.what}</p>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {!rows && !wrong && <p class="meta late-word">{t.loading}</p>}
        {rows && !rows.length && !waiting.value.length && <p>{words.nothing}</p>}
        <ul ref={list} tabIndex={-1} aria-label={t.myChanges} autofocus>
          {waiting.value.toReversed().map(({ id, title }) => (
            <li key={id}>
              <p class="said" dir="auto">{title}</p>
              <p class="meta">{words.unsent}</p>
            </li>
          ))}
          {rows?.map((row) => (
            <Line key={row.token} row={row} told={told.get(row.token)} onBack={(force) => void back(row, force)} onLook={() => void look(row)} />
          ))}
        </ul>
        <div class="bar">
          {rows?.length === most && most < MOST && <button type="button" class="plain" onClick={() => setMost(MOST)}>{words.more}</button>}
          <span class="grow" />
          <button type="button" class="primary" onClick={dismiss}>{t.close}</button>
        </div>
      </div>
    </Layer>
  );
}

interface LineProps {
  readonly row: Undoable;
  readonly told: Told | undefined;
  readonly onBack: (force: boolean) => void;
  readonly onLook: () => void;
}

function Line({ row: { at, can, summary, why }, told, onBack, onLook }: LineProps) {
  const against = told && !told.back ? told.against : undefined;
  return (
    <li class={told?.back ? "back" : ""}>
      <div class="bar">
        <div class="grow">
          <p class="said" dir="auto">{summary}</p>
          <p class="meta">
            <time dateTime={new Date(at * 1000).toISOString()} title={exactly(at)}>{when(at)}</time>
            {told?.back ? ` · ${words.isBack}` : why !== null && ` · ${why}`}
          </p>
        </div>
        {!told?.back && !against?.force && can && <button type="button" aria-label={words.takeBackWhat(summary)} onClick={() => onBack(false)}>{words.takeBack}</button>}
        {!told && !can && <button type="button" class="plain" aria-label={words.closerWhat(summary)} onClick={onLook}>{words.closer}</button>}
        {against?.force && <button type="button" title={words.allTheSameWhat} onClick={() => onBack(true)}>{words.allTheSame}</button>}
      </div>
      <div role="status">
        {against && <p class="wrong">{against.why}</p>}
        {against && against.each.length > 0 && <ul class="stays">{against.each.map((each) => <li key={each}>{each}</li>)}</ul>}
        {told?.back && told.kept.map(({ subject, why: stays }) => <p class="meta" key={subject}>{words.stays(subject, stays)}</p>)}
      </div>
    </li>
  );
}
