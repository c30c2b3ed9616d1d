/** Work from elsewhere: where it comes from, and what came before. */
import type { Import } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { exactly, number, when } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { NewImport } from "./new.tsx";
import { OneImport } from "./one.tsx";
import { SOURCES } from "./sources.ts";

const [TITLE, WHAT] = s.places.import;

export function Page({ rest: [first, second] }: { rest: readonly string[] }) {
  const source = first === "new" ? SOURCES.find((one) => one.id === second) : undefined;
  if (source) return <NewImport key={source.id} source={source} />;
  if (first && /^\d{1,12}$/.test(first)) return <OneImport key={first} id={Number(first)} />;
  return <Start />;
}

function Start() {
  const asked = useAsked(() => server.imports.list());
  return (
    <Frame title={TITLE} what={WHAT}>
      <div class="sources">
        {SOURCES.map(({ id }) => (
          <a key={id} data-in href={`/settings/import/new/${id}`}>
            <strong>{s.import.sources[id].title}</strong>
            <p class="meta">{s.import.sources[id].what}</p>
          </a>
        ))}
      </div>
      <Section title={s.import.former} what={s.import.formerWhat}>
        <Told asked={asked}>{(all) => <Former all={all} />}</Told>
      </Section>
    </Frame>
  );
}

function Former({ all }: { all: readonly Import[] }) {
  return (
    <Listing
      label={s.import.former}
      things={all}
      idOf={(one) => one.id}
      wordsOf={(one) => `${one.source} ${projectsOf(one)} ${s.import.states[one.state]}`}
      empty={s.import.noneYet}
      columns={[
        { title: s.import.what, of: (one) => <a data-in href={`/settings/import/${one.id}`}>{titleOf(one)}</a>, kind: "wide" },
        { title: s.state, of: (one) => <State state={one.state} /> },
        { title: s.import.kinds.issues, of: (one) => number(one.done.issues), kind: "number" },
        { title: s.errors, of: (one) => (one.errors ? <span class="bad">{number(one.errors)}</span> : "0"), kind: "number" },
        { title: s.by, of: (one) => tables.member.watch(one.created_by)?.name ?? one.created_by },
        { title: s.at, of: (one) => <time title={exactly(one.created_at)}>{when(one.created_at)}</time> },
      ]}
    />
  );
}

export function State({ state }: { state: Import["state"] }) {
  const tone = state === "done" ? "good" : state === "failed" ? "bad" : state === "running" ? "warn" : "";
  return <span class={`tag ${tone}`}>{s.import.states[state]}</span>;
}

/** Which projects it goes to, by their keys here. */
function projectsOf(one: Import): string {
  return [...new Set(Object.values((one.mapping["projects"] ?? {}) as Record<string, string>))].join(", ");
}

export function titleOf(one: Import): string {
  const into = projectsOf(one);
  const names = s.import.names as Readonly<Record<string, string>>;
  const from = names[one.source] ?? one.source;
  return into ? s.import.fromInto(from, into) : s.import.from(from, one.id);
}
