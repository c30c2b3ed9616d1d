/** How letters are worded, and back to the built-in words. */
import type { MailTemplate } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const idOf = ({ key, locale }: MailTemplate): string => `${key} ${locale}`;

export function Letters() {
  const [locale, setLocale] = useState("");
  const asked = useAsked(() => server.mail.templates({ locale: locale.trim() || null }), locale);
  const [open, setOpen] = useState<string>();
  const chosen = asked.data?.find((one) => idOf(one) === open);
  return (
    <Section title={w.parts.letters} what={w.lettersWhat}>
      <label class="bar filters">{w.language} <input class="line" value={locale} aria-describedby="letters-language" onChange={(event) => setLocale(event.currentTarget.value)} /> <span class="meta" id="letters-language">{w.languageWhat}</span></label>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.letters}
            things={all}
            idOf={idOf}
            wordsOf={(one) => `${one.key} ${one.about} ${one.subject}`}
            empty={w.none}
            columns={[
              { title: w.kind, kind: "wide", of: (one) => <><button type="button" class="name" onClick={() => setOpen(idOf(one))}>{one.key}</button> <span class="meta under">{one.about}</span></> },
              { title: w.language, of: (one) => one.locale },
              { title: w.subject, of: (one) => <span dir="auto">{one.subject}</span> },
              { title: s.state, of: (one) => <span class={`tag ${one.built_in ? "" : "good"}`}>{one.built_in ? w.builtIn : w.worded}</span> },
            ]}
          />
        )}
      </Told>
      {chosen && <LetterDialog key={open} one={chosen} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function LetterDialog({ one, onClose }: { one: MailTemplate; onClose: () => void }) {
  const { key, locale } = one;
  const fields: FormField[] = [
    { name: "subject", label: w.subject, required: true },
    { name: "body", label: w.body, kind: "code", required: true },
  ];
  const valuesOf = ({ subject, body }: MailTemplate): Values => ({ subject, body });
  return (
    <Dialog title={`${key} · ${locale}`} onClose={onClose}>
      <p class="meta">{one.about}</p>
      <Form
        name={`settings.mail.letter.${key}.${locale}`}
        fields={fields}
        value={valuesOf(one)}
        fresh={async () => valuesOf((await server.mail.templates({ locale })).find((each) => each.key === key) ?? one)}
        submit={s.save}
        onSave={async (_, { subject, body }) => {
          await act("mail.template_save", { key, locale, subject: String(subject), body: String(body) }, { said: w.wordedSaid(key) });
        }}
      >
        {!one.built_in && <Sure title={w.back} what={w.backWhat} yes={w.back} onYes={() => void attempt("mail.template_save", { key, locale, subject: "", body: "" }, { said: w.isBack(key) }).then((done) => done && onClose())} />}
      </Form>
      <h3>{w.variables}</h3>
      <ul class="rules">{one.variables.map((name) => <li key={name}><code>{`{{${name}}}`}</code>{one.required.includes(name) && <span class="meta"> {w.required}</span>}</li>)}</ul>
    </Dialog>
  );
}
