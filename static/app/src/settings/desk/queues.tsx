/** The queues of a desk: a query each, in an order. */
import type { DeskQueueSave, Queue } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { number } from "../../ui/texts.ts";
import { act, attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { FormField } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Section, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import type { DeskProps } from "./index.tsx";
import { Steps } from "./order.tsx";
import { w } from "./texts.ts";

export function Queues({ desk: { project }, shut }: DeskProps) {
  const asked = useAsked(() => server.desk.queues({ project }));
  const [open, setOpen] = useState<{ readonly id: number | undefined }>();
  const chosen = asked.data?.find(({ id }) => id === open?.id);
  const move = async (one: Queue, position: number): Promise<void> => {
    const { id, name, tql } = (await queueOf(project, one.id)) ?? one;
    await attempt("desk.queue_save", { id, project, name, tql, position }, { said: w.moved(name), undo: true });
  };
  return (
    <Section title={w.parts.queues} what={w.queuesWhat}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={w.parts.queues}
            things={all}
            idOf={({ id }) => id}
            wordsOf={({ name, tql }) => `${name} ${tql}`}
            empty={w.noQueues}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <><button type="button" class="name" dir="auto" onClick={() => setOpen({ id: one.id })}>{one.name}</button> <code class="under">{one.tql}{one.order && ` order by ${one.order}`}</code></> },
              { title: w.count, kind: "number", of: ({ count, late }) => (count < 0 ? w.unknown : <>{number(count)}{late > 0 && <span class="bad"> {w.late(late)}</span>}</>) },
              { title: s.acts, kind: "acts", of: (one) => !shut && all.length > 1 && <Steps of={one} all={all} onMove={(of, position) => void move(of, position)} /> },
            ]}
          />
        )}
      </Told>
      {!shut && <button type="button" onClick={() => setOpen({ id: undefined })}>{w.newQueue}</button>}
      {open && (chosen || open.id === undefined) && <QueueDialog project={project} one={chosen} shut={shut} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

interface QueueProps {
  readonly project: string;
  readonly one: Queue | undefined;
  readonly shut: string | undefined;
  readonly onClose: () => void;
}

function QueueDialog({ project, one, shut, onClose }: QueueProps) {
  const teams = tables.team.all().map(({ id, name }) => ({ value: String(id), title: name }));
  const fields: FormField[] = [
    { name: "name", label: s.name, required: true, max: 500 },
    { name: "tql", label: w.query, kind: "query", hint: w.queryWhat, project, placeholder: "open and assignee is empty" },
    { name: "order", label: w.order, hint: w.orderWhat, placeholder: "priority, due" },
    { name: "team", label: w.team, kind: "choice", choices: [{ value: "", title: s.none }, ...teams] },
  ];
  return (
    <Dialog title={one?.name ?? w.newQueue} onClose={onClose}>
      <Form
        name={`settings.desk.${project}.queue.${one?.id ?? "new"}`}
        fields={fields}
        value={valuesOf(one)}
        {...(one && { fresh: async () => valuesOf(await queueOf(project, one.id)) })}
        submit={one ? s.save : s.make}
        shut={shut}
        isNew={!one}
        onSave={async ({ team, ...changes }, all) => {
          const { name, tql } = one ? { ...valuesOf(await queueOf(project, one.id)), ...changes } : all;
          const input = { ...changes, project, name, tql: tql ?? "", ...(team !== undefined && { team: team ? Number(team) : null }), ...(one && { id: one.id }) };
          await act("desk.queue_save", input as DeskQueueSave, { said: one ? w.changed(String(name)) : w.made(String(name)), undo: true });
          onClose();
        }}
      >
        {one && !shut && <Sure title={s.delete} what={w.deleteQueue} yes={s.delete} onYes={() => void attempt("desk.queue_delete", { id: one.id }, { said: w.deleted(one.name), undo: true }).then((done) => done && onClose())} />}
      </Form>
    </Dialog>
  );
}

/** As it is now: what has to be sent with a change is not what somebody changed meanwhile. */
async function queueOf(project: string, id: number): Promise<Queue | undefined> {
  return (await server.desk.queues({ project })).find((one) => one.id === id);
}

function valuesOf(one: Queue | undefined): Values {
  return { name: one?.name ?? "", tql: one?.tql ?? "", order: one?.order ?? "", team: one?.team ? String(one.team) : "" };
}
