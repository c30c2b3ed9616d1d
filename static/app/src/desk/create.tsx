/** Write a request down that somebody told: by the form of its type. What is typed stays until it is made. */
import { Problem, type DeskCustomer, type RequestType } from "@kbwork/client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { peek } from "../ui/router.ts";
import { PRIORITIES, t } from "../ui/texts.ts";
import { w } from "./texts.ts";

type Channel = keyof typeof w.create.channels;

interface Written {
  readonly type?: number;
  readonly customer?: string;
  readonly title?: string;
  readonly channel?: Channel;
  readonly values?: Readonly<Record<string, string>>;
}

const FIELDS = ["customer", "title", "channel", "type"];

export function CreateRequest({ project, onClose }: { project: string; onClose: () => void }) {
  const draft = `request.${project}`;
  const [types, setTypes] = useState<readonly RequestType[]>();
  const [written, setWritten] = useState<Written>(() => JSON.parse(draftOf(draft) || "{}") as Written);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [call, setCall] = useState(random);
  const [busy, setBusy] = useState(false);
  const list = useId();
  useEffect(() => {
    server.desk.request_types({ project }).then(setTypes, (error: unknown) => setRefused({ whole: away(error) ? t.noAnswer : (error as Error).message }));
  }, []);
  const type = types?.find(({ id }) => id === written.type) ?? types?.[0];
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), [types]); // it comes behind the dialog
  const set = (part: Written): void => {
    const next = { ...written, ...part };
    setWritten(next);
    setRefused({});
    keepDraft(draft, JSON.stringify(next));
  };
  const make = async (): Promise<void> => {
    if (!type || busy) return;
    setBusy(true);
    setRefused({});
    try {
      const { customer = "", title = "", channel = "phone" } = written;
      const reply = await server.ask("desk.request_create", { project, type: type.id, customer: customer.trim(), title, channel, values: valuesOf(type, written.values ?? {}) }, { idempotencyKey: call });
      keepDraft(draft, "");
      const key = reply.data?.key ?? "";
      remember(w.create.made(key), reply.seq);
      say(w.create.made(key), { title: t.open, run: () => peek(key) });
      onClose();
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      if (!away(error)) setCall(random()); // what is mended is another call
      setRefused(refusalsOf(error));
      setBusy(false);
    }
  };
  const told = (name: string) => refused[name] && <span class="wrong" role="alert">{refused[name]}</span>;
  return (
    <Layer label={w.newRequest} kind="dialog" onClose={onClose}>
      <form
        class="create"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{w.newRequest}</h2>
        {types && !type && <p class="meta">{w.create.noTypes}</p>}
        {type && (
          <>
            <label class="field">
              {w.create.customer}
              <input ref={first} type="email" list={list} autocomplete="off" aria-invalid={refused["customer"] ? true : undefined} value={written.customer ?? ""} onInput={(event) => set({ customer: event.currentTarget.value })} />
              <span class="meta">{w.create.customerWhat}</span>
              {told("customer")}
            </label>
            <CustomerNames id={list} />
            <label class="field">
              {w.create.type}
              <select value={type.id} onChange={(event) => set({ type: Number(event.currentTarget.value) })}>
                {types?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            </label>
            <label class="field">
              {w.create.title}
              <input maxLength={500} autocomplete="off" aria-invalid={refused["title"] ? true : undefined} value={written.title ?? ""} onInput={(event) => set({ title: event.currentTarget.value })} />
              {told("title")}
            </label>
            {questionsOf(type).map((one) => (
              <Question key={one.key} of={one} value={written.values?.[one.key] ?? ""} wrong={refused[`values.${one.key}`]} onValue={(value) => set({ values: { ...written.values, [one.key]: value } })} />
            ))}
            <label class="field">
              {w.create.channel}
              <select value={written.channel ?? "phone"} onChange={(event) => set({ channel: event.currentTarget.value as Channel })}>
                {Object.entries(w.create.channels).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
              </select>
            </label>
          </>
        )}
        {told("whole")}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !type}>{w.create.make}</button>
        </div>
      </form>
    </Layer>
  );
}

interface Asked {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly kind: string;
  readonly choices: readonly { readonly value: string; readonly title: string }[];
}

function questionsOf({ fields }: RequestType): Asked[] {
  const plain: Record<string, { title: string; kind: string }> = {
    description: { title: t.description, kind: "paragraph" }, priority: { title: t.priority, kind: "select" }, due_date: { title: t.due, kind: "date" },
  };
  const all = fields.length ? fields : [{ field: "description", label: "", help: "" }];
  return all.map(({ field: key, label, help }) => {
    const own = tables.field.watch(key);
    const { title, kind } = plain[key] ?? { title: own?.name ?? key, kind: own?.kind ?? "text" };
    const choices = key === "priority" ? Object.entries(PRIORITIES).filter(([value]) => value !== "none").map(([value, title]) => ({ value, title }))
      : (own?.options ?? []).filter(({ archived }) => !archived).map(({ name }) => ({ value: name, title: name }));
    return { key, title: label || title, help, kind, choices: kind === "cascade" ? [] : choices };
  });
}

function Question({ of: { title, help, kind, choices }, value, wrong, onValue }: { of: Asked; value: string; wrong: string | undefined; onValue: (value: string) => void }) {
  const same = { value, "aria-invalid": wrong ? true : undefined, onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value) };
  return (
    <label class="field">
      {title}
      {kind === "paragraph" ? <textarea rows={3} {...same} />
        : choices.length > 0 || kind === "bool" ? (
          <select {...same}>
            <option value="" />
            {(kind === "bool" ? [{ value: "true", title: t.yes }, { value: "false", title: t.no }] : choices).map((one) => <option key={one.value} value={one.value}>{one.title}</option>)}
          </select>
        ) : <input type={(kind === "date" ? "date" : kind === "number" || kind === "rating" ? "number" : "text") as "text"} {...same} />}
      {help && <span class="meta">{help}</span>}
      {wrong && <span class="wrong" role="alert">{wrong}</span>}
    </label>
  );
}

/** As the fields take them; what was left empty is not said. */
function valuesOf(type: RequestType, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(questionsOf(type).flatMap(({ key, kind }) => {
    const text = (typed[key] ?? "").trim();
    if (!text) return [];
    const value = kind === "number" || kind === "rating" ? Number(text) : kind === "bool" ? text === "true" : kind === "multi_select" ? [text] : text;
    return [[key, value]];
  }));
}

function refusalsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Problem)) return { whole: t.noAnswer };
  const at: Record<string, string> = {};
  for (const { path, message } of error.errors) {
    if (path.startsWith("values.") || FIELDS.includes(path)) at[path] ??= message;
    else at["whole"] = message;
  }
  return Object.keys(at).length ? at : { whole: error.detail || error.title };
}

/** Customers whom one sees, as the browser proposes them. */
export function CustomerNames({ id }: { id: string }) {
  const [all, setAll] = useState<readonly DeskCustomer[]>([]);
  useEffect(() => {
    server.desk.customers().then(setAll, () => undefined); // who types the address goes on
  }, []);
  return <datalist id={id}>{all.filter(({ blocked }) => !blocked).map(({ id, name, email }) => <option key={id} value={email}>{name}</option>)}</datalist>;
}
