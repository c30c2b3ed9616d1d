/** Customers: who they are, a password to hand over, and shutting one out. */
import type { CustomerPassword, DeskCustomer } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { copy } from "../../ui/clipboard.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";

export function Customers() {
  const asked = useAsked(() => server.desk.customers());
  const [alone, setAlone] = useState(false);
  const [making, setMaking] = useState(false);
  const [fresh, setFresh] = useState<CustomerPassword>();
  const turn = ({ id, name, blocked }: DeskCustomer): void => void attempt("desk.customer_block", { id, blocked: !blocked }, { said: blocked ? w.isIn(name) : w.isBlocked(name) });
  return (
    <Section title={w.parts.customers} what={w.customersWhat}>
      {fresh && <Password of={fresh} />}
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.customers}
            things={all.filter(({ blocked }) => !alone || blocked)}
            idOf={({ id }) => id}
            wordsOf={({ name, email }) => `${name} ${email}`}
            empty={alone && all.length ? s.noneFits : w.noCustomers}
            faint={({ blocked }) => blocked}
            filters={all.length > 0 && <label class="bar"><input type="checkbox" checked={alone} onChange={(event) => setAlone(event.currentTarget.checked)} />{w.blockedAlone}</label>}
            columns={[
              { title: s.name, kind: "wide", of: ({ name, email }) => <><strong dir="auto">{name}</strong> <span class="meta under">{email}</span></> },
              { title: s.state, of: ({ blocked, active }) => (blocked ? <span class="tag bad">{w.blocked}</span> : active && <span class="meta">{w.active}</span>) },
              { title: w.asked, kind: "number", of: ({ requests }) => number(requests) },
              { title: w.seen, of: ({ last_seen_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
              {
                title: s.acts,
                kind: "acts",
                of: (one) => (
                  <span class="bar">
                    {!one.blocked && <Sure title={w.newPassword} what={w.newPasswordWhat} yes={w.newPasswordOf(one.name)} onYes={() => void attempt("desk.customer_reset", { id: one.id }).then(setFresh)} />}
                    {may("admin") && (one.blocked
                      ? <button type="button" aria-label={w.letInOf(one.name)} onClick={() => turn(one)}>{w.letIn}</button>
                      : <Sure title={w.block} what={w.blockWhat} yes={w.blockOf(one.name)} onYes={() => turn(one)} />)}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Told>
      <button type="button" onClick={() => setMaking(true)}>{w.newCustomer}</button>
      {making && (
        <Dialog title={w.newCustomer} onClose={() => setMaking(false)}>
          <Form
            name="settings.desk.customer.new"
            fields={[{ name: "name", label: s.name, required: true, max: 500 }, { name: "email", label: w.email, kind: "email", required: true }]}
            value={{ name: "", email: "" }}
            submit={s.make}
            isNew
            onSave={async (_, { name, email }) => {
              setFresh(await act("desk.customer_add", { name: String(name), email: String(email) }));
              setMaking(false);
            }}
          />
        </Dialog>
      )}
    </Section>
  );
}

function Password({ of: { customer, password } }: { of: CustomerPassword }) {
  return (
    <div class="running fresh" role="status">
      <p><strong dir="auto">{w.password(customer.name)}</strong> {w.passwordWhat}</p>
      <p class="copied"><code>{password}</code><button type="button" onClick={() => copy(password)}>{w.copyPassword}</button></p>
    </div>
  );
}
