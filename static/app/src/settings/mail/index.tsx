/** Mail: by which server it goes, what waits, which mailboxes are read, and how letters are worded. */
import type { ComponentType } from "preact";
import { Page as Frame } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Letters } from "./letters.tsx";
import { Mailboxes } from "./mailboxes.tsx";
import { Outbox } from "./outbox.tsx";
import { Sender } from "./sender.tsx";
import { w } from "./texts.ts";

const [TITLE, WHAT] = s.places.mail;
const PARTS: readonly { readonly id: keyof typeof w.parts; readonly Part: ComponentType }[] = [
  { id: "server", Part: Sender },
  { id: "outbox", Part: Outbox },
  { id: "mailboxes", Part: Mailboxes },
  { id: "letters", Part: Letters },
];

export function Page({ rest: [first = "server"] }: { rest: readonly string[] }) {
  const here = PARTS.find(({ id }) => id === first) ?? PARTS[0]!;
  return (
    <Frame title={TITLE} what={WHAT}>
      <nav class="bar filters parts" aria-label={w.partsWhat}>
        {PARTS.map(({ id }) => <a key={id} data-in href={id === "server" ? "/settings/mail" : `/settings/mail/${id}`} aria-current={id === here.id ? "page" : undefined}>{w.parts[id]}</a>)}
      </nav>
      <here.Part key={here.id} />
      <p class="meta">{w.manual} <a href="/docs/howto-mail" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
    </Frame>
  );
}
