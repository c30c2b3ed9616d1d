/**
 * Conditions as chips: those of a query that are joined by "and" and name values of a field, which the app reads and
 * writes itself. Any other query is the server's to read.
 */
import { type Choice, CONDITIONS, FIELDS, type FilterField, type Condition } from "./fields.tsx";
import { type Token, tokensOf } from "./tokens.ts";

/** One of the values of a field, or none of them where it is turned round. */
export interface FieldTerm {
  readonly field: FilterField;
  readonly not: boolean;
  /** As queries write them. */
  readonly values: readonly string[];
}

/** Something that is so of an issue, or is not. */
export interface ConditionTerm {
  readonly condition: Condition;
  readonly not: boolean;
}

export type Term = FieldTerm | ConditionTerm;

export function write(terms: readonly Term[]): string {
  return terms.map(writeOne).join(" and ");
}

function writeOne(term: Term): string {
  if ("condition" in term) return `${term.not ? "not " : ""}${term.condition}`;
  const { field, not, values } = term;
  const [first] = values;
  if (values.length === 1 && first === "empty") return `${field} is ${not ? "not " : ""}empty`;
  if (values.length === 1) return `${field} ${not ? "!=" : "="} ${first}`;
  return `${field} ${not ? "not in" : "in"} (${values.join(", ")})`;
}

/** Undefined where the query is more than that, or names what is not here. */
export function read(text: string): Term[] | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const found: Term[] = [];
  while (reader.more) {
    if (found.length) reader.took("and");
    const term = reader.term();
    if (!term) return undefined;
    found.push(term);
  }
  return found;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get more(): boolean {
    return this.#at < this.#tokens.length;
  }

  /** Whether the next one is this word or sign; then it is behind. */
  took(value: string): boolean {
    const next = this.#tokens[this.#at];
    if (!next || (next.kind !== "word" && next.kind !== "sign") || next.value.toLowerCase() !== value) return false;
    this.#at++;
    return true;
  }

  term(): Term | undefined {
    const not = this.took("not");
    const name = this.#word();
    if (name === undefined) return undefined;
    if (name in CONDITIONS && !this.#compares()) return { condition: name as Condition, not };
    return not || !(name in FIELDS) ? undefined : this.#fieldTerm(name as FilterField);
  }

  /** A word is a condition only where nothing is compared with it. */
  #compares(): boolean {
    const next = this.#tokens[this.#at]?.value.toLowerCase();
    return next !== undefined && ["=", "!=", ":", "in", "is", "("].includes(next);
  }

  #word(): string | undefined {
    const next = this.#tokens[this.#at];
    if (next?.kind !== "word") return undefined;
    this.#at++;
    return next.value.toLowerCase();
  }

  #fieldTerm(field: FilterField): Term | undefined {
    if (this.took("is")) {
      const not = this.took("not");
      return this.took("empty") && has(field, "empty") ? { field, not, values: ["empty"] } : undefined;
    }
    if (this.took("=") || this.took(":")) return this.#one(field, false);
    if (this.took("!=")) return this.#one(field, true);
    const not = this.took("not");
    return this.took("in") ? this.#several(field, not) : undefined;
  }

  #one(field: FilterField, not: boolean): Term | undefined {
    const value = this.#value(field);
    return value === undefined ? undefined : { field, not, values: [value] };
  }

  #several(field: FilterField, not: boolean): Term | undefined {
    const values: string[] = [];
    if (!this.took("(")) return undefined;
    do {
      const value = this.#value(field);
      if (value === undefined) return undefined;
      values.push(value);
    } while (this.took(","));
    return this.took(")") ? { field, not, values } : undefined;
  }

  /** As the app writes it; undefined where nothing of the field, or more than one thing, is called so. */
  #value(field: FilterField): string | undefined {
    const next = this.#tokens[this.#at];
    if (!next || next.kind === "sign") return undefined;
    this.#at++;
    if (next.kind === "word" && this.took("(")) return this.took(")") ? called(field, next.value) : undefined;
    if (next.kind === "word" && next.value.toLowerCase() === "empty") return own(field, "empty");
    const said = (next.kind === "who" ? `@${next.value}` : next.value).toLowerCase();
    const found = FIELDS[field].choices().filter((choice) => choice.names.includes(said));
    return found.length === 1 ? found[0]!.value : undefined;
  }
}

/** What a function stands for, which has no arguments here. */
function called(field: FilterField, name: string): string | undefined {
  const said = `${name}()`.toLowerCase();
  return FIELDS[field].choices().find(({ value }) => value.toLowerCase() === said)?.value;
}

const own = (field: FilterField, value: string): string | undefined => (has(field, value) ? value : undefined);

function has(field: FilterField, value: string): boolean {
  return choice(field, value) !== undefined;
}

export function choice(field: FilterField, value: string): Choice | undefined {
  return FIELDS[field].choices().find((one) => one.value === value);
}
