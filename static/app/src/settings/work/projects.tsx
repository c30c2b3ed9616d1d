/** Projects: all of them with who leads them; each on a page of its own. */
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { number } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { command } from "../parts/command.ts";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { OneProject } from "./project.tsx";

const [TITLE, WHAT] = s.places.projects;
const w = s.projects;

export function Page({ rest: [key] }: { rest: readonly string[] }) {
  return key ? <OneProject key={key} asked={key.toUpperCase()} /> : <All />;
}

function All() {
  const [archived, setArchived] = useState(false);
  const asked = useAsked(() => server.projects.list({ archived }), archived, tables.project.moved.value);
  return (
    <Frame
      title={TITLE}
      what={WHAT}
      shut={may("projects:write") ? undefined : w.shut}
      acts={may("projects:write") && <button type="button" class="primary" onClick={() => command("new-project")}>{w.new}</button>}
    >
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all}
            idOf={(project) => project.key}
            wordsOf={(project) => `${project.key} ${project.name} ${project.former_keys.join(" ")}`}
            faint={(project) => project.archived_at !== null}
            empty={w.none}
            filters={<label class="bar"><input type="checkbox" checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />{w.withArchived}</label>}
            columns={[
              { title: s.name, of: (project) => <a data-in href={`/settings/projects/${project.key}`} dir="auto">{project.name}</a>, kind: "wide" },
              { title: s.key, of: ({ key }) => key },
              { title: w.lead, of: ({ lead }) => (lead ? (tables.member.watch(lead)?.name ?? lead) : "") },
              { title: w.visibility, of: ({ visibility }) => w.visibilities[visibility] },
              { title: w.open, of: ({ counts }) => number(counts.open), kind: "number" },
              { title: s.state, of: ({ archived_at: at }) => at !== null && <span class="tag">{w.archived}</span> },
            ]}
          />
        )}
      </Told>
    </Frame>
  );
}
