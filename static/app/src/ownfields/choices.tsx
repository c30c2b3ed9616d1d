/** The own fields that are chosen from a list: what there is to choose from, and what is set then. */
import { useEffect, useState } from "preact/hooks";
import type { Asset } from "@kbwork/client";
import { dayInWords, days, people } from "../issues/field_choices.tsx";
import { Dot } from "../issues/marks.tsx";
import { stars } from "../issues/own.tsx";
import type { OwnField } from "../store/kinds.ts";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import type { Option } from "../ui/picker.tsx";
import { compare, t } from "../ui/texts.ts";

type Chosen = string | number;

export interface Choosing {
  readonly options: Option<Chosen>[];
  readonly chosen: Chosen[];
  readonly many?: boolean;
  readonly also?: (text: string) => Option<Chosen> | undefined;
  readonly more?: (text: string) => Promise<Option<Chosen> | undefined>;
  /** What the field holds when this was chosen. */
  readonly valueOf: (chosen: Chosen) => unknown;
}

type Choices = (field: OwnField, value: unknown) => Choosing;

/** Nothing: it is chosen like the rest. */
const NONE = { value: "", title: t.none } as const;
const orNull = (chosen: Chosen): unknown => chosen || null;
const STARS = [5, 4, 3, 2, 1];
const KEY = /^[a-z][a-z0-9]*-\d+$/i;

/** What is not chosen anew stays to be seen where it is held. */
function optionsOf({ options }: OwnField, held: readonly unknown[]): OwnField["options"] {
  return options.filter(({ name, archived }) => !archived || held.includes(name));
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value]);

/** Several at once: what is chosen comes in or goes, in the order of `all`. */
function toggled(all: readonly Chosen[], held: readonly unknown[]): (chosen: Chosen) => unknown {
  return (chosen) => {
    const next = held.includes(chosen) ? held.filter((one) => one !== chosen) : [...held, chosen];
    return next.length ? next.toSorted((one, other) => all.indexOf(one as Chosen) - all.indexOf(other as Chosen)) : null;
  };
}

function steps({ options }: OwnField, id: number | null): OwnField["options"] {
  const found = options.find((option) => option.id === id);
  return found ? [...steps({ options } as OwnField, found.parent), found] : [];
}

export const CHOICES: Partial<Record<OwnField["kind"], Choices>> = {
  bool: (_, value) => ({
    options: [{ value: 1, title: t.yes }, { value: 0, title: t.no }, NONE],
    chosen: [value === null ? "" : Number(value)],
    valueOf: (chosen) => (chosen === "" ? null : chosen === 1),
  }),
  rating: (_, value) => ({
    options: [...STARS.map((count) => ({ value: count, title: t.stars(count), mark: <span aria-hidden="true">{stars(count)}</span> })), NONE],
    chosen: [(value as number | null) ?? ""],
    valueOf: orNull,
  }),
  select: (field, value) => ({
    options: [...optionsOf(field, [value]).map(({ name, color }) => ({ value: name, title: name, mark: <Dot color={color} /> })), NONE],
    chosen: [(value as string | null) ?? ""],
    valueOf: orNull,
  }),
  multi_select: (field, value) => {
    const held = listed(value);
    const options = optionsOf(field, held).map(({ name, color }) => ({ value: name, title: name, mark: <Dot color={color} /> }));
    return { options, chosen: held as string[], many: true, valueOf: toggled(options.map((option) => option.value), held) };
  },
  cascade: (field, value) => {
    const names = (id: number): string[] => steps(field, id).map(({ name }) => name);
    const held = listed(value);
    const isHeld = (id: number): boolean => names(id).join("\n") === held.join("\n");
    const open = field.options.filter(({ id }) => isHeld(id) || steps(field, id).every(({ archived }) => !archived));
    const options = open.map(({ id }) => ({ value: id, title: names(id).join(" / ") }));
    // Each stands behind the one that it is part of.
    const place = (id: number): string => steps(field, id).map((step) => String(field.options.indexOf(step)).padStart(4, "0")).join("/");
    options.sort((one, other) => (place(one.value) < place(other.value) ? -1 : 1));
    const chosen = open.find(({ id }) => isHeld(id))?.id ?? "";
    return { options: [...options, NONE], chosen: [chosen], valueOf: (id) => (id ? names(Number(id)) : null) };
  },
  member: (_, value) => ({ options: people(), chosen: [(value as string | null) ?? ""], valueOf: orNull }),
  members: (_, value) => {
    const held = listed(value);
    const options = people().filter((one) => one.value);
    return { options, chosen: held as string[], many: true, valueOf: toggled(options.map((option) => option.value), held) };
  },
  team: (_, value) => {
    const teams = tables.team.all().sort((one, other) => compare(one.name, other.name));
    const options = teams.map(({ id, name, handle }) => ({ value: id, title: name, hint: `@${handle}` }));
    return { options: [...options, NONE], chosen: [(value as number | null) ?? ""], valueOf: (id) => (id === "" ? null : id) };
  },
  date: (_, value) => ({ options: days(), chosen: [(value as string | null) ?? ""], more: dayInWords, valueOf: orNull }),
  issue: (_, value) => {
    const all = tables.issue.all().sort((one, other) => other.updated_at - one.updated_at);
    return {
      options: [NONE, ...all.map(({ key, title }) => ({ value: key, title: `${key} ${title}` }))],
      chosen: [(value as string | null) ?? ""],
      also: (text) => keyIn(text, all.map(({ key }) => key)),
      valueOf: orNull,
    };
  },
};

/** One that is not kept here is said by its key. */
function keyIn(text: string, known: readonly string[]): Option<string> | undefined {
  const key = text.trim().toUpperCase();
  return KEY.test(key) && !known.includes(key) ? { value: key, title: key } : undefined;
}

/** Assets are not kept here: they are asked for. */
export function useAssets(field: OwnField, value: unknown): Choosing | undefined {
  const [found, setFound] = useState<readonly Asset[]>([]);
  const asks = field.kind === "asset";
  useEffect(() => {
    if (asks) server.assets.list({}).then(setFound, () => undefined); // one may say its key, then
  }, [asks]);
  if (!asks) return undefined;
  return {
    options: [NONE, ...found.map(({ key, name }) => ({ value: key, title: `${key} ${name}` }))],
    chosen: [(value as string | null) ?? ""],
    also: (text) => keyIn(text, found.map(({ key }) => key)),
    valueOf: orNull,
  };
}
