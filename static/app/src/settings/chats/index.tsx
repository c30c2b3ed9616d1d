/** Chats: the platforms that are connected, what their channels hear, and one's own accounts there. */
import { server } from "../../store/server.ts";
import { exactly, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Channels } from "./channels.tsx";
import { Connections } from "./connections.tsx";
import { w } from "./texts.ts";

const [TITLE, WHAT] = s.places.chats;

export function Page() {
  const shut = onlyAdmins();
  const connections = useAsked(() => server.chat.connections());
  return (
    <Frame title={TITLE} what={WHAT} shut={shut}>
      <Told asked={connections}>
        {(all) => (
          <>
            <Connections all={all} shut={shut} />
            {(all.length > 0 || shut) && <Channels connections={all} shut={shut} />}
            <Own connections={all} />
          </>
        )}
      </Told>
    </Frame>
  );
}

function Own({ connections }: { connections: readonly { id: number; name: string }[] }) {
  const asked = useAsked(() => server.members.chat_accounts());
  return (
    <Section title={w.own} what={w.ownWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.own}
            things={all}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.name} ${one.chat_user}`}
            empty={w.noAccount}
            columns={[
              { title: w.account, kind: "wide", of: (one) => <><strong dir="auto">{one.name}</strong> <span class="meta">{one.chat_user}</span></> },
              { title: w.connection, of: (one) => connections.find(({ id }) => id === one.connection)?.name },
              { title: w.since, of: ({ linked_at: at }) => <time title={exactly(at)}>{when(at)}</time> },
              { title: s.acts, kind: "acts", of: (one) => <Sure title={w.unlink} what={w.unlinkWhat} yes={w.unlink} onYes={() => void attempt("members.chat_unlink", { id: one.id }, { said: w.unlinked(one.name) })} /> },
            ]}
          />
        )}
      </Told>
      {connections.length > 0 && (
        <Form
          name="settings.chats.link"
          fields={[{ name: "code", label: w.code, hint: w.codeWhat, required: true }]}
          value={{ code: "" }}
          submit={w.link}
          isNew
          onSave={(_, { code }) => act("members.chat_link", { code: String(code) }, { said: w.isLinked })}
        />
      )}
    </Section>
  );
}
