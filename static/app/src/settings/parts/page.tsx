/** What every page of settings has: its name, what it is for, and who may change it. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Name } from "@kbwork/client";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { compare, t } from "../../ui/texts.ts";
import { s } from "../texts.ts";
import type { Asked } from "./asked.ts";

/** Those of the place that the page is of. */
export const Operations = createContext<readonly Name[]>([]);

interface PageProps {
  readonly title: string;
  readonly what: string;
  /** Where one goes back to, above the title. */
  readonly up?: { readonly href: string; readonly title: string };
  /** Why nothing can be changed here. */
  readonly shut?: string | undefined;
  readonly acts?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Page({ title, what, up, shut, acts, children }: PageProps) {
  return (
    <div class="set-page">
      {up && <p class="up"><a data-in href={up.href}>← {up.title}</a></p>}
      <header class="bar">
        <h2 class="cut" dir="auto">{title}</h2>
        <span class="grow" />
        {acts}
      </header>
      <p class="meta what">{what}</p>
      <Api />
      {shut && <p class="reason" role="note">{shut}</p>}
      {children}
    </div>
  );
}

/** What programs and the command line call what is set here. */
function Api() {
  const ops = useContext(Operations);
  return (
    <details class="api">
      <summary>{s.api}</summary>
      <p class="meta">{s.apiWhat}</p>
      <ul>
        {ops.map((op) => (
          <li key={op}>
            <a class="in-text" href={`/docs/api/${op}`} target="_blank" rel="noopener"><code>{op}</code></a>
            <code>kbwork {op.replace(".", " ")} …</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Why somebody cannot change what admins change, and whom to ask. */
export function onlyAdmins(): string | undefined {
  return may("admin") ? undefined : `${s.onlyAdmins} ${s.askThem(admins())}`;
}

/** The same of what is not even shown to others. */
export function AdminsAlone({ title, what }: { title: string; what: string }) {
  return <Page title={title} what={what} shut={`${s.adminsSee} ${s.askThem(admins())}`} />;
}

function admins(): string[] {
  return tables.member
    .all()
    .filter((member) => member.state === "active" && (member.role === "owner" || member.role === "admin"))
    .map((member) => member.name)
    .sort(compare);
}

/** What was asked for, as soon as it is there; until then a word, or why it is not. */
export function Told<T>({ asked, children }: { asked: Asked<T>; children: (data: T) => ComponentChildren }) {
  if (asked.data !== undefined) {
    return (
      <>
        {asked.wrong && <p class="wrong" role="alert">{asked.wrong}</p>}
        {children(asked.data)}
      </>
    );
  }
  if (asked.wrong === undefined) return <p class="meta late-word">{t.loading}</p>;
  return (
    <div class="trouble" role="alert">
      <p>{asked.wrong}</p>
      <button type="button" onClick={() => void asked.again()}>{t.retry}</button>
    </div>
  );
}

interface SureProps {
  readonly title: string;
  /** What happens, and that it does so for good. */
  readonly what: string;
  readonly yes: string;
  readonly disabled?: boolean;
  readonly onYes: () => void;
}

/** A button for what cannot be taken back: it says so, and is pressed again. */
export function Sure({ title, what, yes, disabled = false, onYes }: SureProps) {
  const [asked, setAsked] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asked) first.current?.focus();
  }, [asked]);
  if (!asked) return <button type="button" disabled={disabled} onClick={() => setAsked(true)}>{title}</button>;
  return (
    <span class="sure bar" role="group" aria-label={title}>
      <span>{what}</span>
      <button
        type="button"
        class="danger"
        onClick={() => {
          setAsked(false);
          onYes();
        }}
      >
        {yes}
      </button>
      <button type="button" class="plain" ref={first} onClick={() => setAsked(false)}>{t.cancel}</button>
    </span>
  );
}

export function Section({ title, what, children }: { title: string; what?: string; children: ComponentChildren }) {
  return (
    <section class="set-section">
      <h3>{title}</h3>
      {what && <p class="meta">{what}</p>}
      {children}
    </section>
  );
}
