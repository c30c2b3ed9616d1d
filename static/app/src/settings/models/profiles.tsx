/** For whom explanations are written. */
import type { ReaderProfile } from "@kbwork/client";
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
import { keyOf } from "../work/thing.tsx";
import { w } from "./texts.ts";

export function Profiles({ shut }: { shut: string | undefined }) {
  const asked = useAsked(() => server.ai.profiles());
  const [open, setOpen] = useState<{ readonly key: string | undefined }>();
  const chosen = asked.data?.find(({ key }) => key === open?.key);
  return (
    <Section title={w.profiles} what={w.profilesWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.profiles}
            things={all}
            idOf={(one) => one.key}
            wordsOf={(one) => `${one.label} ${one.instructions}`}
            empty={w.noProfile}
            columns={[
              { title: s.name, of: (one) => <button type="button" class="name" dir="auto" onClick={() => setOpen({ key: one.key })}>{one.label}</button> },
              { title: w.instructions, kind: "wide", of: (one) => <span class="meta" dir="auto">{one.instructions}</span> },
            ]}
          />
        )}
      </Told>
      {!shut && <button type="button" onClick={() => setOpen({ key: undefined })}>{w.newProfile}</button>}
      {open && (chosen || open.key === undefined) && <ProfileDialog one={chosen} shut={shut} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function ProfileDialog({ one, shut, onClose }: { one: ReaderProfile | undefined; shut: string | undefined; onClose: () => void }) {
  const fields: FormField[] = [
    { name: "label", label: w.label, required: true, max: 500 },
    { name: "instructions", label: w.instructions, kind: "area", required: true },
  ];
  const valuesOf = (of: ReaderProfile | undefined): Values => ({ label: of?.label ?? "", instructions: of?.instructions ?? "" });
  return (
    <Dialog title={one?.label ?? w.newProfile} onClose={onClose}>
      <Form
        name={`settings.ai.profile.${one?.key ?? "new"}`}
        fields={fields}
        value={valuesOf(one)}
        {...(one && { fresh: async () => valuesOf((await server.ai.profiles()).find(({ key }) => key === one.key)) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async (_, all) => {
          const label = String(all["label"]);
          await act("ai.profile_save", { key: one?.key ?? keyOf(label, "-"), label, instructions: String(all["instructions"]) }, { said: w.savedProfile(label) });
          onClose();
        }}
      >
        {one && !shut && <Sure title={s.delete} what={w.deleteProfile} yes={s.delete} onYes={() => void attempt("ai.profile_delete", { id: one.key }, { said: w.deleted(one.label) }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}
