/** Rules: what sets each off, what it does, and how it fares. */
import type { AutomationRule } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { compare, exactly, number, when } from "../../ui/texts.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { onlyAdmins, Page as Frame, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { NewRule, OneRule } from "./one.tsx";
import { w } from "./texts.ts";
import { RunNow } from "./try.tsx";
import { KINDS, triggerInWords } from "./words.ts";

const [TITLE, WHAT] = s.places.rules;

export function Page({ rest: [first] }: { rest: readonly string[] }) {
  if (first === "new") return <NewRule />;
  if (first && /^\d{1,12}$/.test(first)) return <OneRule key={first} id={Number(first)} />;
  return <All />;
}

function All() {
  const [kind, setKind] = useState("");
  const [project, setProject] = useState("");
  const asked = useAsked(() => server.automation.list());
  const shut = onlyAdmins();
  const projects = tables.project.all().filter((one) => asked.data?.some((rule) => names(rule, one.key))).sort((one, other) => compare(one.name, other.name));
  return (
    <Frame title={TITLE} what={WHAT} shut={shut} acts={!shut && <a data-in class="button primary" href="/settings/rules/new">{w.new}</a>}>
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all.filter((one) => (!kind || one.trigger.kind === kind) && (!project || names(one, project)))}
            idOf={(one) => one.id}
            wordsOf={(one) => `${one.name} ${triggerInWords(one.trigger)} ${one.actions.map(({ op }) => op).join(" ")}`}
            faint={(one) => !one.enabled}
            empty={all.length ? s.noneFits : w.none}
            filters={all.length > 0 && (
              <>
                <select aria-label={w.sorts} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
                  <option value="">{w.all}</option>
                  {KINDS.map((one) => <option key={one} value={one}>{w.kinds[one]}</option>)}
                </select>
                {projects.length > 0 && (
                  <select aria-label={w.project} value={project} onChange={(event) => setProject(event.currentTarget.value)}>
                    <option value="">{w.everywhere}</option>
                    {projects.map(({ key, name }) => <option key={key} value={key}>{name}</option>)}
                  </select>
                )}
              </>
            )}
            columns={[
              { title: s.name, kind: "wide", of: (one) => <a data-in dir="auto" href={`/settings/rules/${one.id}`}>{one.name}</a> },
              { title: w.when, of: (one) => <span class="meta" dir="auto">{triggerInWords(one.trigger)}</span> },
              { title: w.does, of: (one) => <span class="meta">{one.actions.map(({ op }) => op).join(", ")}</span> },
              { title: s.state, of: (one) => <State of={one} /> },
              { title: w.runs, of: (one) => number(one.runs), kind: "number" },
              { title: w.lastRun, of: ({ last_run_at: at }) => at !== null && <time title={exactly(at)}>{when(at)}</time> },
              { title: s.acts, kind: "acts", of: (one) => !shut && one.enabled && one.trigger.kind === "button" && <RunNow of={one} short /> },
            ]}
          />
        )}
      </Told>
    </Frame>
  );
}

/** Whether a project is named in what it asks or is given. */
function names({ trigger, conditions, actions }: AutomationRule, key: string): boolean {
  return new RegExp(`\\b${key}\\b`).test(JSON.stringify([trigger, conditions, actions]));
}

export function State({ of: { enabled } }: { of: AutomationRule }) {
  return <span class={`tag ${enabled ? "good" : ""}`}>{enabled ? s.on : s.off}</span>;
}
