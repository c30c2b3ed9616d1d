/** Letters that went, wait or were given up, and the addresses that none goes to. */
import type { OutboxLetter, PagedOutboxLetter } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { say } from "../../ui/notes.tsx";
import { exactly, number, when } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const STATES = ["queued", "sent", "failed", "held"] as const;
const PAGE = 50;

export function Outbox() {
  const [state, setState] = useState<OutboxLetter["state"] | "">("");
  const [more, setMore] = useState<PagedOutboxLetter>();
  const asked = useAsked(async () => {
    setMore(undefined);
    return server.mail.outbox({ state: state || null, limit: PAGE });
  }, state);
  const fetchMore = (cursor: string): void => {
    server.mail.outbox({ state: state || null, limit: PAGE, cursor }).then(
      ({ items, next }) => setMore({ items: [...(more?.items ?? []), ...items], next }),
      (error: unknown) => say(wordsOf(error)),
    );
  };
  return (
    <>
      <Section title={w.parts.outbox} what={w.outboxWhat}>
        <Told asked={asked}>
          {(page) => {
            const next = more ? more.next : page.next;
            const all = [...page.items, ...(more?.items ?? [])];
            const stuck = all.filter((one) => one.state === "failed" || one.state === "held").map(({ id }) => id);
            return (
              <>
                <Sent
                  all={all}
                  empty={state ? w.noneSo : w.noLetters}
                  filters={
                    <>
                      <select aria-label={w.state} value={state} onChange={(event) => setState(event.currentTarget.value as typeof state)}>
                        <option value="">{w.all}</option>
                        {STATES.map((one) => <option key={one} value={one}>{w.states[one]}</option>)}
                      </select>
                      {(state === "failed" || state === "held") && stuck.length > 1 && <button type="button" onClick={() => void retry(stuck)}>{w.allAgain(stuck.length)}</button>}
                    </>
                  }
                />
                {next && <button type="button" onClick={() => fetchMore(next)}>{w.more}</button>}
              </>
            );
          }}
        </Told>
      </Section>
      <Suppressed />
    </>
  );
}

function Sent({ all, empty, filters }: { all: readonly OutboxLetter[]; empty: string; filters: preact.ComponentChildren }) {
  return (
    <Listing
      label={w.parts.outbox}
      things={all}
      idOf={(one) => one.id}
      wordsOf={(one) => `${one.to} ${one.subject} ${one.error ?? ""}`}
      empty={empty}
      filters={filters}
      columns={[
        { title: w.to, of: (one) => <span dir="auto">{one.to}</span> },
        { title: w.about, kind: "wide", of: (one) => <span dir="auto">{one.subject}</span> },
        { title: s.state, of: (one) => <span class={`tag ${one.state === "sent" ? "good" : one.state === "failed" ? "bad" : ""}`}>{w.states[one.state]}</span> },
        { title: w.why, of: (one) => one.error && <span class="meta" dir="auto">{one.error}</span> },
        { title: w.tries, of: (one) => number(one.tries), kind: "number" },
        { title: s.at, of: ({ at }) => <time title={exactly(at)}>{when(at)}</time> },
        {
          title: s.acts,
          kind: "acts",
          of: (one) => one.state !== "sent" && (
            <span class="bar">
              {one.state !== "queued" && <button type="button" aria-label={w.againTo(one.to)} onClick={() => void retry([one.id])}>{w.again}</button>}
              <Sure title={w.drop} what={w.dropWhat} yes={w.drop} onYes={() => void attempt("mail.retry", { ids: [one.id], drop: true }, { said: w.dropped })} />
            </span>
          ),
        },
      ]}
    />
  );
}

function retry(ids: readonly number[]): Promise<unknown> {
  return attempt("mail.retry", { ids }, { said: w.goesAgain });
}

function Suppressed() {
  const asked = useAsked(() => server.mail.suppressed());
  return (
    <Section title={w.suppressed} what={w.suppressedWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.suppressed}
            things={all}
            idOf={(one) => one.address}
            wordsOf={(one) => `${one.address} ${one.reason}`}
            empty={w.noSuppressed}
            columns={[
              { title: w.address, kind: "wide", of: ({ address }) => <strong dir="auto">{address}</strong> },
              { title: w.reason, of: ({ reason }) => <span class="meta" dir="auto">{reason}</span> },
              { title: s.at, of: ({ at }) => <time title={exactly(at)}>{when(at)}</time> },
              { title: s.acts, kind: "acts", of: ({ address }) => <button type="button" aria-label={w.releaseOf(address)} onClick={() => void attempt("mail.suppressed", { release: address }, { said: w.released(address) })}>{w.release}</button> },
            ]}
          />
        )}
      </Told>
    </Section>
  );
}
