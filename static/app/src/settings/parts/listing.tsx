/** A table of things: found by words, opened by their name. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { s } from "../texts.ts";

export interface Column<T> {
  readonly title: string;
  readonly of: (thing: T) => ComponentChildren;
  readonly kind?: "number" | "acts" | "wide";
}

interface ListingProps<T> {
  readonly label: string;
  readonly things: readonly T[];
  readonly idOf: (thing: T) => string | number;
  /** What it is found by. */
  readonly wordsOf: (thing: T) => string;
  readonly columns: readonly Column<T>[];
  readonly empty: string;
  readonly faint?: (thing: T) => boolean;
  readonly filters?: ComponentChildren;
}

/** So many make it worth while to look for one by words. */
const MANY = 8;
const SHOWN = 100;

export function Listing<T>({ label, things, idOf, wordsOf, columns, empty, faint, filters }: ListingProps<T>) {
  const [words, setWords] = useState("");
  const [most, setMost] = useState(SHOWN);
  const asked = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = things.filter((thing) => {
    const text = wordsOf(thing).toLocaleLowerCase();
    return asked.every((word) => text.includes(word));
  });
  // A column in which nothing stands says nothing.
  const shown = columns.filter(({ of }) => fits.some((thing) => ![undefined, null, false, ""].includes(of(thing) as never)));
  return (
    <>
      {(things.length >= MANY || filters) && (
        <div class="bar filters">
          {things.length >= MANY && (
            <input class="filter" type="search" aria-label={s.find(label)} placeholder={s.find(label)} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          )}
          {filters}
        </div>
      )}
      {fits.length > 0 ? (
        <div class="table" role="region" aria-label={label} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {shown.map(({ title, kind }) => (
                  <th key={title} scope="col" class={kind}>{kind === "acts" ? <span class="hidden">{title}</span> : title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fits.slice(0, most).map((thing) => (
                <tr key={idOf(thing)} class={faint?.(thing) ? "faint" : ""}>
                  {shown.map(({ title, of, kind }) => <td key={title} class={kind}>{of(thing)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <p class="none">{things.length ? s.noneFits : empty}</p>
      )}
      {fits.length > most && <button type="button" onClick={() => setMost(most + SHOWN)}>{s.more(fits.length - most)}</button>}
    </>
  );
}
