/** Canned replies: one's own, and those that everybody at the desk has. */
import type { CannedReply, DeskReplySave } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import type { DeskProps } from "./index.tsx";
import { PLACES, w } from "./texts.ts";

export function Replies({ desk: { project } }: DeskProps) {
  const asked = useAsked(() => server.desk.replies({ project }));
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const chosen = asked.data?.find(({ id }) => id === open?.id);
  const folders = [...new Set((asked.data ?? []).flatMap(({ folder }) => folder ?? []))];
  return (
    <Section title={w.parts.replies} what={w.repliesWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.replies}
            things={all}
            idOf={({ id }) => id}
            wordsOf={({ name, text, folder, shortcut }) => `${name} ${text} ${folder ?? ""} ${shortcut ?? ""}`}
            empty={w.noReplies}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <><button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> {one.folder && <span class="meta under" dir="auto">{one.folder}</span>}</> },
              { title: w.shortcut, of: ({ shortcut }) => shortcut && <code>/{shortcut}</code> },
              { title: w.where, of: (one) => (one.project === null ? w.everywhere : w.here) },
              { title: w.whose, of: ({ shared }) => (shared ? w.shared : <span class="meta">{w.own}</span>) },
              { title: w.used, kind: "number", of: ({ uses }) => number(uses) },
            ]}
          />
        )}
      </Told>
      <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newReply}</button>
      {open && (chosen || open.id === undefined) && <ReplyDialog project={project} one={chosen} folders={folders} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface ReplyProps {
  readonly project: string;
  readonly one: CannedReply | undefined;
  readonly folders: readonly string[];
  readonly onClose: () => void;
}

function ReplyDialog({ project, one, folders, onClose }: ReplyProps) {
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "text", label: w.text, kind: "code", required: true, hint: `${w.textWhat} ${PLACES.map((place) => `{{${place}}}`).join(" ")}` },
    { name: "shortcut", label: w.shortcut, hint: w.shortcutWhat, max: 64, placeholder: "sorry" },
    { name: "folder", label: w.folder, hint: w.folderWhat, max: 200, choices: folders.map((value) => ({ value, title: value })) },
    { name: "project", label: w.where, kind: "choice", choices: [{ value: project, title: w.here }, { value: "", title: w.everywhere }] },
    { name: "shared", label: w.share, kind: "check" },
  ];
  return (
    <Dialog title={one?.name ?? w.newReply} onClose={onClose}>
      <Form
        name={`settings.desk.reply.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one, project)}
        {...(one && { fresh: async () => valuesOf(await replyOf(one.id), project) })}
        submit={one ? s.save : s.make}
        isNew={!one}
        onSave={async (changes, all) => {
          const { name, text, project: where } = one ? { ...valuesOf(await replyOf(one.id), project), ...changes } : all;
          const input = { ...changes, name, text, ...((!one || "project" in changes) && { project: where || null }), ...(one && { id: one.id }) };
          await act("desk.reply_save", input as DeskReplySave, { said: one ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {one && <Sure title={s.delete} what={w.deleteReply} yes={s.delete} onYes={() => void attempt("desk.reply_delete", { id: one.id }, { said: w.deleted(one.name), undo: true }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}

/** As it is now: what has to be sent with a change is not what somebody changed meanwhile. */
async function replyOf(id: number): Promise<CannedReply | undefined> {
  return (await server.desk.replies()).find((one) => one.id === id);
}

function valuesOf(one: CannedReply | undefined, project: string): Values {
  return { name: one?.name ?? "", text: one?.text ?? "", shortcut: one?.shortcut ?? "", folder: one?.folder ?? "", project: one ? (one.project ?? "") : project, shared: one?.shared ?? false };
}
