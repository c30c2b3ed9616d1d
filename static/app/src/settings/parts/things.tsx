/** A page over a list of things: one that is there is opened, and another made, in a dialog. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { s } from "../texts.ts";
import { useAsked } from "./asked.ts";
import { type Column, Listing } from "./listing.tsx";
import { Page as Frame, Told } from "./page.tsx";

interface Opened<T, Id> {
  /** Undefined: it is to be made. */
  readonly thing: T | undefined;
  readonly all: readonly T[];
  /** Go on with another one, such as what was made. */
  readonly onOpen: (id: Id) => void;
  readonly onClose: () => void;
}

interface ThingsProps<T, Id> {
  readonly title: string;
  readonly what: string;
  /** Why none can be made. */
  readonly shut: string | undefined;
  /** The button that makes one. */
  readonly make: string;
  readonly empty: string;
  readonly ask: () => Promise<readonly T[]>;
  /** With each of them it is asked for again. */
  readonly on?: readonly unknown[];
  readonly idOf: (thing: T) => Id;
  readonly wordsOf: (thing: T) => string;
  /** Before and behind its name. */
  readonly mark?: (thing: T) => ComponentChildren;
  readonly aside?: (thing: T) => string;
  readonly faint?: (thing: T) => boolean;
  readonly filters?: ComponentChildren;
  /** Those behind the one with its name. */
  readonly columns: (all: readonly T[]) => readonly Column<T>[];
  readonly dialog: (opened: Opened<T, Id>) => ComponentChildren;
}

export function Things<T extends { readonly name: string }, Id extends string | number>({
  title, what, shut, make, empty, ask, on = [], idOf, wordsOf, mark, aside, faint, filters, columns, dialog,
}: ThingsProps<T, Id>) {
  const [open, setOpen] = useState<{ readonly id: Id | undefined }>();
  const asked = useAsked(ask, ...on);
  const thing = open && asked.data?.find((one) => idOf(one) === open.id);
  const onOpen = (id: Id | undefined): void => setOpen({ id });
  const name: Column<T> = {
    title: s.name,
    kind: "wide",
    of: (one) => (
      <span class="bar">
        {mark?.(one)}
        <button type="button" class="name" dir="auto" onClick={() => onOpen(idOf(one))}>{one.name}</button>
        {aside && <span class="meta">{aside(one)}</span>}
      </span>
    ),
  };
  return (
    <Frame title={title} what={what} shut={shut} acts={!shut && <button type="button" class="primary" onClick={() => onOpen(undefined)}>{make}</button>}>
      <Told asked={asked}>
        {(all) => <Listing label={title} things={all} idOf={idOf} wordsOf={wordsOf} empty={empty} columns={[name, ...columns(all)]} {...(faint && { faint })} filters={filters} />}
      </Told>
      {open && (thing || open.id === undefined) && dialog({ thing, all: asked.data ?? [], onOpen, onClose: () => setOpen(undefined) })}
    </Frame>
  );
}
