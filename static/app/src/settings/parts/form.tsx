/** A form: what is typed stays until it is saved, what the server refuses stands at its field, in its words. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { draftOf, keepDraft } from "../../store/drafts.ts";
import { s } from "../texts.ts";
import { NotProven } from "./act.ts";
import { wordsOf } from "./asked.ts";
import { Control, type FormField, isAt, type Value, type Within } from "./field.tsx";

export type Values = Readonly<Record<string, Value>>;

interface FormProps {
  /** What it is known by: what was typed is found again under it. */
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly value: Values;
  /** As it is now, asked before it is saved: what others changed meanwhile is not run over unseen. */
  readonly fresh?: () => Promise<Values>;
  readonly submit: string;
  /** Why it can only be read. */
  readonly shut?: string | undefined;
  /** What is new, whose fields can be sent as they are. */
  readonly isNew?: boolean;
  readonly onSave: (changes: Values, all: Values) => Promise<unknown>;
  readonly children?: ComponentChildren;
}

interface Refusals {
  readonly at: Readonly<Record<string, string>>;
  /** Inside of what fields of their own kind hold. */
  readonly within: Within;
  readonly whole?: string;
}

const NONE: Refusals = { at: {}, within: [] };

/** What cannot be sent as it was written, and where that stands. */
export class Unreadable extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

export function Form(props: FormProps) {
  const { name, fields, value, submit, shut, isNew, children } = props;
  const [typed, setTyped] = useState<Values>(() => read(name, fields));
  const [refused, setRefused] = useState<Refusals>(NONE);
  const [state, setState] = useState<"" | "busy" | "saved">("");
  /** What others' changes are told by; nothing from one's own save until it is shown. */
  const base = useRef<Values | undefined>(value);
  const latest = useRef(typed);
  latest.current = typed;
  const all = { ...value, ...typed };
  const shown = fields.filter((field) => field.when?.(all) ?? true);
  const dirty = Object.keys(typed).length > 0;
  useEffect(() => {
    base.current = value;
  }, [JSON.stringify(value)]);
  const set = (field: string, to: Value): void => {
    const next: Record<string, Value> = { ...typed, [field]: to };
    if (same(to, value[field])) delete next[field];
    latest.current = next; // a save may be answered before this is drawn
    setTyped(next);
    setState("");
    if (refused.within.length) setRefused(NONE); // what is moved stands elsewhere than it was refused
    keep(name, fields, next);
  };
  const discard = (): void => {
    keepDraft(name, "");
    setTyped({});
    setRefused(NONE);
  };
  const save = async (): Promise<void> => {
    setState("busy");
    setRefused(NONE);
    try {
      const theirs = props.fresh && (await conflicts(props.fresh, base, typed, fields));
      if (theirs && Object.keys(theirs).length) {
        setRefused({ ...NONE, at: theirs });
        setState("");
        return;
      }
      await props.onSave(typed, all);
      base.current = undefined;
      const since = changes(all, { ...value, ...latest.current });
      keep(name, fields, since);
      setTyped(since);
      setState("saved");
    } catch (error) {
      setState("");
      if (!(error instanceof NotProven)) setRefused(refusals(error, shown));
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!shut && (dirty || isNew)) void save();
      }}
    >
      {shown.map((field) => (
        <Control key={field.name} field={field} value={all[field.name]} all={all} wrong={refused.at[field.name]} within={refused.within} shut={shut !== undefined} onChange={(to) => set(field.name, to)} />
      ))}
      {refused.whole && <p class="wrong" role="alert">{refused.whole}</p>}
      {(!shut || children) && (
        <div class="bar acts">
          {!shut && <button type="submit" class="primary" disabled={state === "busy" || !(dirty || isNew)}>{submit}</button>}
          <span class="meta" role="status">{state === "busy" ? s.saving : state === "saved" && !dirty ? s.saved : dirty && !isNew ? s.unsaved : ""}</span>
          {dirty && !isNew && state !== "busy" && <button type="button" class="plain" onClick={discard}>{s.discard}</button>}
          <span class="grow" />
          {children}
        </div>
      )}
    </form>
  );
}

/** What stands otherwise in the later ones. */
function changes(before: Values, later: Values): Values {
  return Object.fromEntries(Object.entries(later).filter(([field, to]) => !same(to, before[field])));
}

/** What others made of the fields that are to be changed, since they were shown. */
async function conflicts(fresh: () => Promise<Values>, base: { current: Values | undefined }, typed: Values, fields: readonly FormField[]): Promise<Record<string, string>> {
  const now = await fresh();
  const before = base.current ?? now;
  const found: Record<string, string> = {};
  for (const [field, mine] of Object.entries(typed)) {
    const theirs = now[field];
    if (!same(theirs, before[field]) && !same(theirs, mine)) found[field] = s.meanwhile(fields.some(({ name, kind }) => name === field && kind === "own") ? s.otherwise : saidOf(theirs));
  }
  base.current = now;
  return found;
}

function refusals(error: unknown, fields: readonly FormField[]): Refusals {
  if (error instanceof Unreadable) return told([error], error.message, fields);
  const whole = wordsOf(error);
  if (!(error instanceof Problem) || !error.errors.length) return { ...NONE, whole };
  return told(error.errors, whole, fields);
}

function told(errors: readonly { readonly path: string; readonly message: string }[], whole: string, fields: readonly FormField[]): Refusals {
  const at: Record<string, string> = {};
  const within: { path: string; message: string }[] = [];
  let rest = false;
  for (const { path, message } of errors) {
    const field = fields.find((one) => isAt(path, one.path ?? one.name));
    if (field?.kind === "own" && path !== (field.path ?? field.name)) within.push({ path, message });
    else if (field) at[field.name] ??= message;
    else rest = true;
  }
  return rest ? { at, within, whole } : { at, within };
}

function saidOf(value: Value): string {
  if (Array.isArray(value)) return value.join(", ") || s.nothing;
  return value === null || value === undefined || value === "" ? s.nothing : String(value);
}

export function same(one: Value, other: Value): boolean {
  return JSON.stringify(one ?? "") === JSON.stringify(other ?? "");
}

/** No secret is kept. */
function keep(name: string, fields: readonly FormField[], typed: Values): void {
  const kept = Object.entries(typed).filter(([field]) => !isSecret(fields, field));
  keepDraft(name, kept.length ? JSON.stringify(Object.fromEntries(kept)) : "");
}

function read(name: string, fields: readonly FormField[]): Values {
  const found = draftOf(name);
  if (!found) return {};
  return Object.fromEntries(Object.entries(JSON.parse(found) as Values).filter(([field]) => fields.some((one) => one.name === field)));
}

const isSecret = (fields: readonly FormField[], name: string): boolean =>
  fields.some((field) => field.name === name && (field.kind === "secret" || field.kind === "secrets"));
