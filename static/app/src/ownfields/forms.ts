/** The own fields that are written: how a value stands in the line, and how it is read from there. */
import type { OwnField } from "../store/kinds.ts";
import { duration, number } from "../ui/texts.ts";
import { words } from "./texts.ts";

export interface Form {
  readonly write: (value: unknown) => string;
  /** Throws what is wrong. */
  readonly read: (text: string, field: OwnField, held: unknown) => unknown;
  /** What line it is; left out: of any text. */
  readonly line?: { readonly type: "datetime-local" } | { readonly inputMode: "url" | "decimal" };
  readonly hint?: string;
}

interface Money {
  readonly amount: number;
  readonly currency: string;
}

const plain = (value: unknown): string => (value === null ? "" : String(value));
const trimmed = (text: string): string | null => text.trim() || null;
const TIME = /^(?:(\d+(?:[.,]\d+)?)\s*h\w*)?\s*(?:(\d+)\s*m\w*)?\s*(?:(\d+)\s*s\w*)?$/i;
const MONEY = /^(?:([a-z]{3})\s*)?(-?\d[\d.,\s]*?)(?:\s*([a-z]{3}))?$/i;

/** What stands between groups of digits in this language. */
const GROUP = number(10_000).replace(/\d/g, "").trim();
const GROUPED = new RegExp(`^-?\\d{1,3}(?:[${GROUP}]\\d{3})+(?:(?![${GROUP}])[.,]\\d+)?$`);

/** Where a comma stands between no groups it is a point. */
function numberIn(text: string): number {
  const said = text.replace(/\s/g, "");
  const value = Number((GROUP && GROUPED.test(said) ? said.replaceAll(GROUP, "") : said).replace(",", "."));
  if (!Number.isFinite(value)) throw new Error(words.noNumber);
  return value;
}

function secondsIn(text: string): number {
  const [, hours = "0", minutes = "0", seconds = "0"] = TIME.exec(text.trim()) ?? [];
  if (!TIME.test(text.trim())) throw new Error(words.noDuration);
  return Math.round(numberIn(hours) * 3600) + Number(minutes) * 60 + Number(seconds);
}

/** Without a currency, in the one of what was there. */
function moneyIn(text: string, field: OwnField, held: unknown): Money {
  const [, before, amount, behind] = MONEY.exec(text.trim()) ?? [];
  const usual = ((held ?? field.default) as Money | null)?.currency;
  const currency = (before ?? behind ?? usual)?.toUpperCase();
  if (amount === undefined || (before && behind) || !currency) throw new Error(words.noMoney);
  return { amount: numberIn(amount), currency };
}

/** A moment as a field for it has it, in the person's own zone. */
function local(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const orNull = <V>(read: (text: string, field: OwnField, held: unknown) => V) => (text: string, field: OwnField, held: unknown): V | null =>
  text.trim() ? read(text, field, held) : null;

const text: Form = { write: plain, read: trimmed };

export const FORMS: Partial<Record<OwnField["kind"], Form>> = {
  text,
  page: text,
  url: { ...text, line: { inputMode: "url" } },
  paragraph: { write: plain, read: (said) => (said.trim() ? said : null) },
  number: { write: plain, read: orNull(numberIn), line: { inputMode: "decimal" } },
  duration: { write: (value) => (value === null ? "" : duration(value as number)), read: orNull(secondsIn), hint: words.noDuration },
  datetime: { write: (value) => (value === null ? "" : local(value as number)), read: orNull((said) => Date.parse(said) / 1000), line: { type: "datetime-local" } },
  money: {
    write: (value) => (value === null ? "" : `${(value as Money).amount} ${(value as Money).currency}`),
    read: orNull(moneyIn),
    hint: words.noMoney,
  },
};
