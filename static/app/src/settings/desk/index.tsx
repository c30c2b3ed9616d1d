/** Service desks: which projects are ones, and what is set up of each. */
import type { Desk } from "@kbwork/client";
import type { ComponentType } from "preact";
import { fetchDesks } from "../../store/desks.ts";
import { works } from "../../store/rights.ts";
import { server } from "../../store/server.ts";
import { may, me } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { go } from "../../ui/router.ts";
import { compare } from "../../ui/texts.ts";
import { act } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Customers } from "./customers.tsx";
import { General } from "./general.tsx";
import { Address } from "./mail.tsx";
import { Queues } from "./queues.tsx";
import { Replies } from "./replies.tsx";
import { w } from "./texts.ts";
import { Types } from "./types.tsx";

const [TITLE, WHAT] = s.places.desk;

export interface DeskProps {
  readonly desk: Desk;
  /** Why it can only be read. */
  readonly shut: string | undefined;
}

interface DeskPart {
  readonly id: keyof typeof w.parts;
  readonly Part: ComponentType<DeskProps>;
  /** Who works at the desk has it; what others read the server would refuse them. */
  readonly agents?: boolean;
  readonly admins?: boolean;
}

const PARTS: readonly DeskPart[] = [
  { id: "desk", Part: General },
  { id: "types", Part: Types },
  { id: "queues", Part: Queues },
  { id: "replies", Part: Replies, agents: true },
  { id: "customers", Part: Customers, agents: true },
  { id: "mail", Part: Address, admins: true },
];

export function Page({ rest: [key, part = "desk"] }: { rest: readonly string[] }) {
  if (me.value?.member.role === "guest") return <Frame title={TITLE} what={WHAT} shut={w.guests} />;
  return key ? <One key={key} of={key.toUpperCase()} part={part} /> : <All />;
}

function All() {
  const asked = useAsked(() => server.desk.list());
  return (
    <Frame title={TITLE} what={WHAT} shut={onlyAdmins()}>
      <Told asked={asked}>
        {(all) => (
          <>
            <Listing
              label={TITLE}
              things={all}
              idOf={({ project }) => project}
              wordsOf={({ name, project }) => `${name} ${project}`}
              empty={may("admin") ? `${w.none} ${w.noneWhat}` : w.none}
              columns={[
                { title: s.name, kind: "wide", of: ({ name, project }) => <><a class="in-text" data-in dir="auto" href={`/settings/desk/${project}`}>{name}</a> <span class="meta">{project}</span></> },
                { title: s.state, of: ({ enabled }) => <span class={`tag ${enabled ? "good" : ""}`}>{enabled ? w.open : w.shut}</span> },
              ]}
            />
            {may("admin") && <Open taken={all.map(({ project }) => project)} />}
          </>
        )}
      </Told>
    </Frame>
  );
}

function Open({ taken }: { taken: readonly string[] }) {
  const projects = tables.project.all().filter((one) => one.archived_at === null && !taken.includes(one.key)).sort((one, other) => compare(one.name, other.name));
  const [first] = projects;
  return (
    <Section title={w.openDesk} what={first ? w.openWhat : w.noProject}>
      {first && (
        <Form
          name="settings.desk.new"
          fields={[
            { name: "project", label: w.project, kind: "choice", choices: projects.map(({ key, name }) => ({ value: key, title: name })) },
            { name: "name", label: s.name, hint: w.nameWhat, placeholder: first.name, max: 500 },
          ]}
          value={{ project: first.key, name: "" }}
          submit={w.openDesk}
          isNew
          onSave={async (_, { project, name }) => {
            const made = await act("desk.save", { project: String(project), ...(String(name).trim() && { name: String(name) }) });
            void fetchDesks();
            go(`/settings/desk/${made.project}`);
          }}
        />
      )}
    </Section>
  );
}

function One({ of, part }: { of: string; part: string }) {
  const asked = useAsked(async () => (await server.desk.list()).find(({ project }) => project === of) ?? null);
  const isAgent = works(of);
  const parts = PARTS.filter(({ agents, admins }) => (!agents || isAgent) && (!admins || may("admin")));
  const here = parts.find(({ id }) => id === part) ?? parts[0]!;
  const desk = asked.data;
  return (
    <Frame
      title={desk?.name ?? of}
      what={WHAT}
      up={{ href: "/settings/desk", title: TITLE }}
      shut={here.id === "replies" || here.id === "customers" ? undefined : onlyAdmins()}
      acts={desk && (
        <>
          {isAgent && <a class="button" data-in href={`/requests/${of}`}>{w.requests}</a>}
          {desk.enabled && <a class="button" href="/portal" target="_blank" rel="noopener">{w.portal}</a>}
        </>
      )}
    >
      <Told asked={asked}>
        {(found) => found === null ? <p class="none">{w.gone(of)}</p> : (
          <>
            <nav class="bar filters parts" aria-label={w.partsOf(found.name)}>
              {parts.map(({ id }) => <a key={id} data-in href={`/settings/desk/${of}${id === "desk" ? "" : `/${id}`}`} aria-current={id === here.id ? "page" : undefined}>{w.parts[id]}</a>)}
            </nav>
            <here.Part key={here.id} desk={found} shut={onlyAdmins()} />
            <p class="meta">{w.manual} <a href="/docs/howto-desk" target="_blank" rel="noopener">{w.manualPage}</a>.</p>
          </>
        )}
      </Told>
    </Frame>
  );
}
