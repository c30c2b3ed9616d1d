/** Mailboxes that are read, and what their mail becomes. */
import type { Mailbox, MailMailboxSave } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { copy } from "../../ui/clipboard.ts";
import { say } from "../../ui/notes.tsx";
import { compare, exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type Choice, type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const TARGETS = ["desk", "project", "page_space"] as const;
const GONE = "(gone)";
const LOOK_MS = 60_000;

type Target = (typeof TARGETS)[number];

const targetOf = ({ target }: Mailbox): Target => TARGETS.find((name) => target[name] !== undefined)!;

export function Mailboxes() {
  const asked = useAsked(() => server.mail.mailboxes());
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const [hook, setHook] = useState<string>();
  const chosen = asked.data?.find(({ id }) => id === open?.id);
  const test = async ({ id, name }: Mailbox, pull: boolean): Promise<void> => {
    const found = await attempt("mail.mailbox_test", { id, pull }, { timeoutMs: LOOK_MS });
    if (found) say(found.ok && pull ? w.pulled(name) : found.ok ? w.found(found.detail, found.waiting) : found.detail);
  };
  return (
    <Section title={w.parts.mailboxes} what={w.mailboxesWhat}>
      {hook && <Hook path={hook} />}
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.mailboxes}
            things={all}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.name} ${one.host} ${one.user}`}
            empty={w.noMailbox}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <><button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> <span class="meta">{w.protocols[one.protocol]} {one.host}</span></> },
              { title: w.chosenBy, of: (one) => <span class="meta">{w.targets[targetOf(one)]}: {one.target[targetOf(one)] === GONE ? w.gone : one.target[targetOf(one)]}</span> },
              { title: w.lastLook, of: ({ last_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
              { title: s.state, of: (one) => (one.last_error ? <span class="bad" dir="auto">{one.last_error}</span> : one.protocol !== "hook" && one.next_at === null && <span class="meta">{w.notRead}</span>) },
              {
                title: s.acts,
                kind: "acts",
                of: (one) => one.protocol !== "hook" && (
                  <span class="bar">
                    <button type="button" aria-label={w.testOf(one.name)} onClick={() => void test(one, false)}>{w.test}</button>
                    <button type="button" aria-label={w.pullOf(one.name)} onClick={() => void test(one, true)}>{w.pull}</button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Told>
      <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newMailbox}</button>
      {open && (chosen || open.id === undefined) && <MailboxDialog one={chosen} onHook={setHook} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Hook({ path }: { path: string }) {
  const address = new URL(path, location.origin).href;
  return (
    <div class="running fresh" role="status">
      <p><strong>{w.hook}</strong> {w.hookWhat}</p>
      <p class="copied"><code>{address}</code><button type="button" onClick={() => copy(address)}>{w.copy}</button></p>
    </div>
  );
}

interface MailboxProps {
  readonly one: Mailbox | undefined;
  readonly onHook: (path: string) => void;
  readonly onClose: () => void;
}

function MailboxDialog({ one, onHook, onClose }: MailboxProps) {
  const spaces = useAsked(() => server.spaces.list());
  const isRead = ({ protocol }: Values): boolean => protocol !== "hook";
  const choices = (of: Readonly<Record<string, string>>): Choice[] => Object.entries(of).map(([value, title]) => ({ value, title }));
  const gone = one?.target[targetOf(one)] === GONE ? [{ value: GONE, title: w.gone }] : [];
  const projects = tables.project.all().filter((each) => each.archived_at === null).sort((each, other) => compare(each.name, other.name)).map(({ key, name }) => ({ value: key, title: name }));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "protocol", label: w.protocol, kind: "choice", choices: choices(w.protocols), fixed: one !== undefined },
    { name: "becomes", path: "target", label: w.target, kind: "choice", choices: choices(w.targets) },
    { name: "project", path: "target", label: w.project, kind: "choice", choices: [...gone, ...projects], when: ({ becomes }) => becomes !== "page_space" },
    { name: "space", path: "target", label: w.space, kind: "choice", choices: [{ value: "", title: s.none }, ...gone, ...(spaces.data ?? []).map(({ key, name }) => ({ value: key, title: name }))], when: ({ becomes }) => becomes === "page_space" },
    { name: "host", label: w.host, required: true, placeholder: "imap.example.com", when: isRead },
    { name: "port", label: w.mailboxPort, kind: "number", hint: w.mailboxPortWhat, when: isRead },
    { name: "security", label: w.security, kind: "choice", choices: choices(w.securities), when: isRead },
    { name: "user", label: w.user, when: isRead },
    { name: "password", label: w.password, kind: "secret", when: isRead, ...(one?.has_password && { hint: w.kept }) },
    { name: "folder", label: w.folder, when: ({ protocol }) => protocol === "imap" },
    { name: "every_minutes", label: w.every, kind: "number", when: isRead },
    { name: "delete_after", label: w.deleteAfter, kind: "check", when: isRead },
    { name: "allow", label: w.allow, kind: "lines", hint: w.allowWhat },
    { name: "deny", label: w.deny, kind: "lines" },
  ];
  return (
    <Dialog title={one?.name ?? w.newMailbox} onClose={onClose}>
      <Form
        name={`settings.mail.mailbox.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one, projects[0]?.value)}
        {...(one && { fresh: async () => valuesOf((await server.mail.mailboxes()).find(({ id }) => id === one.id), projects[0]?.value) })}
        submit={one ? s.save : s.make}
        isNew={!one}
        onSave={async (changes, all) => {
          const saved = await act("mail.mailbox_save", inputOf(changes, all, one), { said: one ? w.changed(String(all["name"])) : w.madeMailbox(String(all["name"])) });
          if (saved.hook_path) onHook(saved.hook_path);
          onClose();
        }}
      >
        {one && <Sure title={s.delete} what={w.deleteMailbox} yes={s.delete} onYes={() => void attempt("mail.mailbox_delete", { id: one.id }, { said: w.deleted(one.name) }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}

function inputOf(changes: Values, all: Values, one: Mailbox | undefined): MailMailboxSave {
  const { becomes, project: _, space: __, ...rest } = changes;
  const target = { [String(becomes ?? all["becomes"])]: String(all["becomes"] === "page_space" ? all["space"] : all["project"]) };
  const lists = Object.fromEntries((["allow", "deny"] as const).filter((name) => name in changes).map((name) => [name, lines(changes[name])]));
  return { ...rest, ...lists, ...(!one && all["protocol"] !== "hook" && { security: all["security"] as Mailbox["security"] }), name: String(all["name"]), protocol: all["protocol"] as Mailbox["protocol"], target, ...(one && { id: one.id }) };
}

function valuesOf(one: Mailbox | undefined, project: string | undefined): Values {
  const becomes = one ? targetOf(one) : "project";
  return {
    name: one?.name ?? "",
    protocol: one?.protocol ?? "imap",
    becomes,
    project: (becomes === "page_space" ? undefined : one?.target[becomes]) ?? project ?? "",
    space: one?.target.page_space ?? "",
    host: one?.host ?? "",
    port: one?.port || null,
    security: one?.security ?? "tls",
    user: one?.user ?? "",
    password: "",
    folder: one?.folder || "INBOX",
    every_minutes: one?.every_minutes ?? 5,
    delete_after: one?.delete_after ?? false,
    allow: one?.allow ?? [],
    deny: one?.deny ?? [],
  };
}
