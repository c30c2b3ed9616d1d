/** Workflows: which there are and who moves along them; each drawn on a page of its own. */
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { go } from "../../ui/router.ts";
import { attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { OneWorkflow } from "./workflow.tsx";

const [TITLE, WHAT] = s.places.workflows;
const w = s.workflows;

export function Page({ rest: [id] }: { rest: readonly string[] }) {
  return id && /^\d{1,12}$/.test(id) ? <OneWorkflow key={id} id={Number(id)} /> : <All />;
}

function All() {
  const asked = useAsked(() => server.workflows.list(), tables.workflow.moved.value);
  const shut = onlyAdmins();
  const copy = async (): Promise<void> => {
    const [first] = asked.data ?? [];
    if (!first) return;
    const made = await attempt("workflows.copy", { id: first.id, name: w.copyOf(first.name, asked.data ?? []) }, { said: w.made, undo: true });
    if (made) go(`/settings/workflows/${made.id}`);
  };
  return (
    <Frame title={TITLE} what={WHAT} shut={shut} acts={!shut && <button type="button" class="primary" onClick={() => void copy()}>{w.new}</button>}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all}
            idOf={(flow) => flow.id}
            wordsOf={(flow) => flow.name}
            empty={w.none}
            columns={[
              { title: s.name, of: (flow) => <a data-in href={`/settings/workflows/${flow.id}`} dir="auto">{flow.name}</a>, kind: "wide" },
              { title: w.lanes, of: ({ lanes }) => lanes.length, kind: "number" },
              { title: w.ways, of: ({ transitions }) => transitions.length, kind: "number" },
              { title: w.usedBy, of: ({ used_by: by }) => by.map(({ project }) => project).join(", ") },
              { title: s.state, of: ({ draft }) => draft && <span class="tag warn">{w.draft}</span> },
            ]}
          />
        )}
      </Told>
    </Frame>
  );
}
