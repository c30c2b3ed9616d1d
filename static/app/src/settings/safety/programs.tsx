/** Keys of everybody and what they call, and the programs that one connected oneself. */
import type { ApiKey, Usage } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Section, Sure, Told } from "../parts/page.tsx";
import { size } from "../parts/size.ts";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.programs;
const w = s.programs;
const isLive = (key: ApiKey): boolean => key.state === "active" || key.state === "rotating";

export function Page() {
  const admin = may("admin");
  const [ended, setEnded] = useState(false);
  const keys = useAsked(async () => (may("keys:read") ? server.keys.list(admin ? { all: true } : {}) : []));
  const grants = useAsked(() => server.auth.grants());
  return (
    <Frame title={TITLE} what={WHAT} shut={admin ? undefined : w.ownAlone} acts={may("keys:write") && <a class="button" href="/keys/new">{w.newKey}</a>}>
      <Section title={admin ? w.allKeys : w.yourKeys}>
        <Told asked={keys}>
          {(all) => (
            <Listing
              label={w.allKeys}
              things={all.filter((key) => ended || isLive(key))}
              idOf={(key) => key.id}
              wordsOf={(key) => `${key.name} ${key.agent ?? ""} ${tables.member.get(key.owner)?.name ?? ""} ${key.scopes.join(" ")}`}
              faint={(key) => !isLive(key)}
              empty={w.noKeys}
              filters={<label class="bar"><input type="checkbox" checked={ended} onChange={(event) => setEnded(event.currentTarget.checked)} />{w.withEnded}</label>}
              columns={[
                { title: s.name, of: (key) => <><strong dir="auto">{key.name}</strong> <span class="meta">…{key.last4}{key.agent && ` · ${w.agent(key.agent)}`}</span></>, kind: "wide" },
                { title: w.owner, of: ({ owner }) => tables.member.watch(owner)?.name ?? owner },
                { title: w.scopes, of: ({ scopes }) => <details><summary>{w.rights(scopes.length)}</summary><span class="meta">{scopes.join(", ")}</span></details> },
                { title: w.used, of: ({ last_used_at: at }) => (at === null ? s.members.never : <time title={exactly(at)}>{when(at)}</time>) },
                { title: w.calls, of: (key) => number(key.calls_month), kind: "number" },
                { title: s.state, of: (key) => (isLive(key) ? (key.expires_at ? w.until(key.expires_at) : "") : <span class="tag">{w.states[key.state]}</span>) },
                { title: s.acts, kind: "acts", of: (key) => isLive(key) && <Sure title={w.revoke} what={w.revokeWhat} yes={w.revoke} onYes={() => void attempt("keys.revoke", { id: key.id }, { said: w.revoked(key.name) })} /> },
              ]}
            />
          )}
        </Told>
      </Section>
      <Section title={w.connected} what={w.connectedWhat}>
        <Told asked={grants}>
          {(all) => (
            <Listing
              label={w.connected}
              things={all}
              idOf={(one) => one.id}
              wordsOf={(one) => one.client}
              empty={w.noneConnected}
              columns={[
                { title: s.name, of: (one) => <strong dir="auto">{one.client}</strong>, kind: "wide" },
                { title: w.scopes, of: ({ scopes }) => <details><summary>{w.rights(scopes.length)}</summary><span class="meta">{scopes.join(", ")}</span></details> },
                { title: w.used, of: ({ last_used_at: at }) => (at === null ? s.members.never : when(at)) },
                { title: s.acts, kind: "acts", of: (one) => <Sure title={w.disconnect} what={w.revokeWhat} yes={w.disconnect} onYes={() => void attempt("auth.grant_revoke", { id: one.id }, { said: w.disconnected(one.client) })} /> },
              ]}
            />
          )}
        </Told>
      </Section>
      {admin && <MonthsOfUse />}
    </Frame>
  );
}

function MonthsOfUse() {
  const asked = useAsked(() => server.org.usage({ months: 6 }));
  return (
    <Section title={w.usage}>
      <Told asked={asked}>
        {({ months }) => (
          <Listing<Usage["months"][number]>
            label={w.usage}
            things={months}
            idOf={(one) => one.month}
            wordsOf={(one) => one.month}
            empty=""
            columns={[
              { title: w.month, of: ({ month }) => month },
              { title: w.people, of: ({ people }) => number(people), kind: "number" },
              { title: w.agents, of: ({ agents }) => number(agents), kind: "number" },
              { title: w.calls, of: (one) => number(one.machine_calls), kind: "number" },
              { title: w.stored, of: ({ storage_bytes: bytes }) => (bytes ? size(bytes) : ""), kind: "number" },
            ]}
          />
        )}
      </Told>
    </Section>
  );
}
