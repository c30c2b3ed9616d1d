/** What was sent for a webhook and what waits: what was answered, and each of them again. */
import type { Delivery, PagedDelivery, Webhook } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { say } from "../../ui/notes.tsx";
import { attempt } from "../parts/act.ts";
import { useAsked, wordsOf } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

const STATES = ["queued", "sent", "failed", "dropped"] as const;
const EVERY_MS = 2_000;
const PAGE = 50;

export function Deliveries({ of }: { of: Webhook }) {
  const { id } = of;
  const [state, setState] = useState<Delivery["state"] | "">("");
  const [more, setMore] = useState<PagedDelivery>();
  const [open, setOpen] = useState<Delivery>();
  const asked = useAsked(async () => {
    setMore(undefined);
    return server.webhooks.deliveries({ id, state: state || null, limit: PAGE });
  }, id, state);
  const waits = (asked.data?.items ?? []).some((one) => one.state === "queued");
  useEffect(() => {
    if (!waits || more) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void asked.again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [waits, more !== undefined]);
  const fetchMore = (cursor: string): void => {
    server.webhooks.deliveries({ id, state: state || null, limit: PAGE, cursor }).then(
      ({ items, next }) => setMore({ items: [...(more?.items ?? []), ...items], next }),
      (error: unknown) => say(wordsOf(error)),
    );
  };
  return (
    <Section title={w.log} what={w.logWhat}>
      <Told asked={asked}>
        {(page) => {
          const next = more ? more.next : page.next;
          return (
            <>
              <Log
                all={[...page.items, ...(more?.items ?? [])]}
                empty={state ? w.noneSo : w.noDeliveries}
                onOpen={setOpen}
                filters={
                  <select aria-label={s.state} value={state} onChange={(event) => setState(event.currentTarget.value as typeof state)}>
                    <option value="">{w.all}</option>
                    {STATES.map((one) => <option key={one} value={one}>{w.deliveryStates[one]}</option>)}
                  </select>
                }
              />
              {next && <button type="button" onClick={() => fetchMore(next)}>{w.more}</button>}
            </>
          );
        }}
      </Told>
      {open && <OneDelivery one={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface LogProps {
  readonly all: readonly Delivery[];
  readonly empty: string;
  readonly filters: preact.ComponentChildren;
  readonly onOpen: (one: Delivery) => void;
}

function Log({ all, empty, filters, onOpen }: LogProps) {
  return (
    <Listing
      label={w.log}
      things={all}
      idOf={(one) => one.id}
      wordsOf={(one) => `${one.event} ${one.error ?? ""} ${one.status ?? ""} ${one.id}`}
      empty={empty}
      filters={filters}
      columns={[
        { title: w.event, kind: "wide", of: (one) => <button type="button" class="name" onClick={() => onOpen(one)}>{one.event}{one.seq === 0 && ` (${w.test_})`}</button> },
        { title: s.state, of: ({ state }) => <span class={`tag ${state === "sent" ? "good" : state === "failed" ? "bad" : ""}`}>{w.deliveryStates[state]}</span> },
        { title: w.answer, of: (one) => one.tries > 0 && <span class="meta" dir="auto">{[one.status, one.ms !== null && w.inMs(one.ms), one.error].filter(Boolean).join(" · ")}</span> },
        { title: w.tries, of: ({ tries }) => number(tries), kind: "number" },
        { title: s.at, of: ({ at }) => <time title={exactly(at)}>{when(at)}</time> },
        { title: s.acts, kind: "acts", of: (one) => one.seq > 0 && <button type="button" aria-label={w.againOf(one.event)} onClick={() => void sendAgain(one.id)}>{w.again}</button> },
      ]}
    />
  );
}

async function sendAgain(id: number): Promise<void> {
  const done = await attempt("webhooks.redeliver", { ids: [id] });
  if (done) say(w.sentAgain(done.queued));
}

function OneDelivery({ one, onClose }: { one: Delivery; onClose: () => void }) {
  const facts: [string, string][] = [
    [w.id, String(one.id)], [s.state, w.deliveryStates[one.state]], [s.at, exactly(one.at)], [w.tries, number(one.tries)],
    [w.answer, [one.status, one.ms !== null && w.inMs(one.ms)].filter(Boolean).join(" · ")], [w.whyFailed, one.error ?? ""], [w.next, one.next_at === null ? "" : exactly(one.next_at)],
  ];
  return (
    <Dialog title={one.event} onClose={onClose}>
      <dl class="facts">{facts.map(([name, value]) => value && <><dt key={name}>{name}</dt><dd dir="auto">{value}</dd></>)}</dl>
      <h3>{w.request}</h3>
      {one.request ? <pre class="details" tabIndex={0}>{readable(one.request)}</pre> : <p class="meta">{w.noRequest}</p>}
      <h3>{w.response}</h3>
      {one.response ? <pre class="details" tabIndex={0}>{one.response}</pre> : <p class="meta">{w.noResponse}</p>}
      {one.seq > 0 && (
        <div class="bar">
          <span class="grow" />
          <button type="button" onClick={() => void sendAgain(one.id).then(onClose)}>{w.again}</button>
        </div>
      )}
    </Dialog>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
