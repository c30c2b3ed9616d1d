/** Where a mail service posts what comes in for a desk. */
import { useState } from "preact/hooks";
import { copy } from "../../ui/clipboard.ts";
import { attempt } from "../parts/act.ts";
import { Section, Sure } from "../parts/page.tsx";
import type { DeskProps } from "./index.tsx";
import { w } from "./texts.ts";

export function Address({ desk: { project } }: DeskProps) {
  const [path, setPath] = useState<string>();
  const ask = async (renew: boolean): Promise<void> => {
    const found = await attempt("desk.email_address", { project, ...(renew && { renew }) }, renew ? { said: w.renewed } : {});
    if (found) setPath(found.path);
  };
  const address = path && new URL(path, location.origin).href;
  return (
    <Section title={w.address} what={w.mailWhat}>
      {address ? (
        <>
          <p class="copied"><code>{address}</code><button type="button" onClick={() => copy(address)}>{w.copy}</button></p>
          <Sure title={w.renew} what={w.renewWhat} yes={w.renew} onYes={() => void ask(true)} />
        </>
      ) : (
        <button type="button" onClick={() => void ask(false)}>{w.show}</button>
      )}
      <p class="meta">{w.boxes} <a data-in href="/settings/mail/mailboxes">{w.boxesPage}</a>.</p>
    </Section>
  );
}
