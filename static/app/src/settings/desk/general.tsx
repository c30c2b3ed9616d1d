/** What a desk is called, how it answers and who may come; and its picture. */
import type { Desk, DeskSave } from "@kbwork/client";
import { useState } from "preact/hooks";
import { fetchDesks } from "../../store/desks.ts";
import { away, server } from "../../store/server.ts";
import { t } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Section } from "../parts/page.tsx";
import { s } from "../texts.ts";
import type { DeskProps } from "./index.tsx";
import { w } from "./texts.ts";

const MOST_BYTES = 1024 * 1024;
const THUMB_PX = 96;

export function General({ desk, shut }: DeskProps) {
  const spaces = useAsked(() => server.spaces.list());
  const { project } = desk;
  const known = (spaces.data ?? []).map(({ key, name }) => ({ value: key, title: name }));
  const lost = desk.kb_space !== null && !known.some(({ value }) => value === desk.kb_space) ? [{ value: desk.kb_space, title: desk.kb_space }] : [];
  const fields: FormField[] = [
    { name: "enabled", label: w.enabled, kind: "check", hint: w.enabledWhat },
    { name: "name", label: s.name, hint: w.nameWhat, required: true, max: 500 },
    { name: "intro", label: w.intro, kind: "area", hint: w.introWhat },
    { name: "languages", label: w.languages, kind: "tokens", hint: w.languagesWhat },
    { name: "kb_space", label: w.space, kind: "choice", hint: w.spaceWhat, choices: [{ value: "", title: s.none }, ...lost, ...known] },
    { name: "open_signup", label: w.signup, kind: "check", hint: w.signupWhat },
    { name: "show_agents", label: w.agents, kind: "check", hint: w.agentsWhat },
    { name: "survey", label: w.survey, kind: "check", hint: w.surveyWhat },
    { name: "reopen_days", label: w.reopen, kind: "number", hint: w.reopenWhat },
    { name: "reply_to", label: w.replyTo, kind: "email", hint: w.replyToWhat, placeholder: "help@example.com" },
  ];
  return (
    <>
      <Form
        name={`settings.desk.${project}`}
        fields={fields}
        value={valuesOf(desk)}
        fresh={async () => valuesOf((await server.desk.list()).find((one) => one.project === project) ?? desk)}
        submit={s.save}
        shut={shut}
        onSave={async ({ kb_space: space, reply_to: address, ...rest }, all) => {
          const input = { ...rest, project, ...(space !== undefined && { kb_space: space || null }), ...(address !== undefined && { reply_to: address || null }) };
          await act("desk.save", input as DeskSave, { said: w.changed(String(all["name"])), undo: true });
          void fetchDesks();
        }}
      />
      {!shut && <Logo desk={desk} />}
    </>
  );
}

function valuesOf({ enabled, name, intro, languages, kb_space, open_signup, show_agents, survey, reopen_days, reply_to }: Desk): Values {
  return { enabled, name, intro, languages, kb_space: kb_space ?? "", open_signup, show_agents, survey, reopen_days, reply_to: reply_to ?? "" };
}

function Logo({ desk: { project, logo } }: { desk: Desk }) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setWrong(file.size > MOST_BYTES ? s.org.logoTooLarge : undefined);
    if (file.size > MOST_BYTES) return;
    setBusy(true);
    try {
      const { upload } = await server.upload(file, { name: file.name });
      const { id } = await server.attachments.add({ subject: `project:${project}`, data: "", upload, name: file.name });
      await act("desk.save", { project, logo: id }, { said: w.logoSet, undo: true });
    } catch (error) {
      setWrong(away(error) ? t.noAnswer : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={w.logo} what={w.logoWhat}>
      <div class="bar logo">
        {logo && <img src={logo.startsWith("/") ? logo : `/files/${logo}?w=${THUMB_PX}`} alt={w.logoNow} width="40" height="40" />}
        <label class="pick-file" aria-busy={busy}>
          {w.logoChoose}
          <input type="file" accept="image/png,image/jpeg,image/gif,image/webp" disabled={busy} onChange={(event) => void take(event.currentTarget.files?.[0])} />
        </label>
        {logo && <button type="button" onClick={() => void attempt("desk.save", { project, logo: null }, { said: w.logoGone, undo: true })}>{w.logoRemove}</button>}
      </div>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
    </Section>
  );
}
