/** Webhooks: where what happens here is told to other programs, and how each fares. */
import type { Webhook } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { exactly, when } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { NewWebhook, OneWebhook } from "./one.tsx";
import { w } from "./texts.ts";

const [TITLE, WHAT] = s.places.webhooks;

export function Page({ rest: [first] }: { rest: readonly string[] }) {
  if (first === "new") return <NewWebhook />;
  if (first && /^\d{1,12}$/.test(first)) return <OneWebhook key={first} id={Number(first)} />;
  return <All />;
}

function All() {
  const asked = useAsked(() => server.webhooks.list());
  return (
    <Frame title={TITLE} what={WHAT} acts={<a data-in class="button primary" href="/settings/webhooks/new">{w.new}</a>}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.name} ${one.url} ${one.events.join(" ")}`}
            faint={(one) => !one.enabled}
            empty={w.none}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <><a data-in dir="auto" href={`/settings/webhooks/${one.id}`}>{one.name}</a> <span class="meta">{one.url}</span></> },
              { title: w.events, of: (one) => <span class="meta">{one.events.join(", ")}</span> },
              { title: w.project, of: (one) => one.project },
              { title: s.state, of: (one) => <State of={one} /> },
              { title: w.lastTry, of: (one) => one.last_at !== null && <LastTry of={one} /> },
            ]}
          />
        )}
      </Told>
    </Frame>
  );
}

export function State({ of: { state } }: { of: Webhook }) {
  return <span class={`tag ${state === "ok" ? "good" : state === "failing" ? "bad" : ""}`}>{w.states[state]}</span>;
}

export function LastTry({ of: one }: { of: Webhook }) {
  if (one.last_at === null) return null;
  return (
    <>
      <time title={exactly(one.last_at)}>{when(one.last_at)}</time>{" "}
      <span class="meta">
        {one.last_status === null ? w.noAnswer : w.answered(one.last_status)}
        {one.failures > 0 && `, ${w.failures(one.failures)}`}
      </span>
    </>
  );
}
