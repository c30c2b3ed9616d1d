/** The mail server that letters go by, tried by a letter before it is saved. */
import type { MailSender, MailSenderSet } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { act } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const USUAL_PORT = 587;
const SEND_MS = 2 * 60_000;

export function Sender() {
  const asked = useAsked(() => server.mail.sender());
  return <Section title={w.parts.server}><Told asked={asked}>{(sender) => <Server of={sender} />}</Told></Section>;
}

function Server({ of }: { of: MailSender }) {
  const fields: FormField[] = [
    { name: "host", label: w.host, required: true, placeholder: "smtp.example.com" },
    { name: "port", label: w.port, kind: "number", hint: w.portWhat, required: true },
    { name: "security", label: w.security, kind: "choice", choices: Object.entries(w.securities).map(([value, title]) => ({ value, title })) },
    { name: "user", label: w.user, hint: w.userWhat },
    { name: "password", label: w.password, kind: "secret", ...(of.has_password && { hint: w.kept }) },
    { name: "from", label: w.from, kind: "email", required: true },
    { name: "name", label: w.sender },
    { name: "signature", label: w.signature, kind: "area" },
    { name: "test_to", label: w.testTo, kind: "email", hint: w.testToWhat },
  ];
  return (
    <>
      <p class={of.source === "none" ? "reason" : "meta"} role="note">{w.goes[of.source](of.place)}</p>
      <Form
        name="settings.mail.sender"
        fields={fields}
        value={valuesOf(of)}
        fresh={async () => valuesOf(await server.mail.sender())}
        submit={s.save}
        onSave={async (changes, { host, port, security, from }) => {
          const input = { ...changes, host, port, security, from };
          const { said } = await act("mail.sender_set", input as unknown as MailSenderSet, { said: w.saved, timeoutMs: SEND_MS });
          if (said !== null) say(w.said(said));
        }}
      />
    </>
  );
}

function valuesOf({ host, port, security, user, from, name, signature, source }: MailSender): Values {
  return { host, port: host || source === "settings" ? port : USUAL_PORT, security: host ? security : "starttls", user, password: "", from, name, signature, test_to: "" };
}
