/** The segments of an environment: groups of contexts that rules ask for. */
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { Layer } from "../ui/layer.tsx";
import { go } from "../ui/router.ts";
import { byField, useAsked } from "./asked.ts";
import { useEnvironments } from "./catalogue.ts";
import { keyOf } from "./create.tsx";
import { environmentOf, goWith } from "./listed.ts";
import { pathOf } from "./model.ts";
import { Empty, EnvironmentName, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done } from "./writing.ts";

export function Segments({ project }: { project: string }) {
  const environments = useEnvironments(project).data ?? [];
  const environment = environmentOf(project, environments);
  const [makes, setMakes] = useState(false);
  const asked = useAsked(environment ? `segments ${project} ${environment.key}` : null, () => server.flags.segments({ project, environment: environment!.key }));
  if (!environment) return <Empty title={t.noEnvironments} what={t.noEnvironmentsWhat} />;
  const add = may("flags:write") && <button type="button" class="primary" onClick={() => setMakes(true)}>{t.newSegment}</button>;
  return (
    <div class="page flag-page narrow">
      <div class="bar headline"><h1 class="grow">{t.places.segments}</h1>{asked.data?.length ? add : null}</div>
      <ul class="envs" aria-label={t.environments}>
        {environments.map((one) => (
          <li key={one.key} class={one === environment ? "is" : ""}>
            <button type="button" class="plain" aria-pressed={one === environment} onClick={() => goWith({ env: one.key })}><EnvironmentName of={one} /></button>
          </li>
        ))}
      </ul>
      <Wrong>{asked.data ? undefined : asked.wrong}</Wrong>
      <ul class="lines" aria-label={t.places.segments}>
        {(asked.data ?? []).map((one) => (
          <li key={one.key}>
            <span class="grow">
              <a data-in href={pathOf(project, "segments", environment.key, one.key)}><strong dir="auto">{one.name}</strong></a> {one.name !== one.key && <code class="meta">{one.key}</code>}
              <br /><span class="meta">{t.segmentHas(one.included.length, one.rules.length)}</span>
            </span>
            <span class="meta">{one.used_by.length ? t.usedBy(one.used_by.join(", ")) : t.unused}</span>
          </li>
        ))}
      </ul>
      {asked.data && !asked.data.length && <Empty title={t.noSegments} what={t.noSegmentsWhat}>{add}</Empty>}
      {makes && <New project={project} environment={environment.key} onClose={() => setMakes(false)} />}
    </div>
  );
}

function New({ project, environment, onClose }: { project: string; environment: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const [key, setKey] = useState<string>();
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const found = key ?? keyOf(name);
  const make = async (): Promise<void> => {
    try {
      await done(server.flags.segment_save({ project, environment, key: found, name }));
      onClose();
      go(pathOf(project, "segments", environment, found));
    } catch (error) {
      setWrong(byField(error));
    }
  };
  return (
    <Layer label={t.newSegment} kind="dialog" onClose={onClose}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void make(); }}>
        <h2>{t.newSegment}</h2>
        <label class="field">{t.name}<input value={name} required maxLength={500} autocomplete="off" placeholder={t.segmentNamePlace} onInput={(event) => setName(event.currentTarget.value)} /><Wrong>{wrong["name"]}</Wrong></label>
        <label class="field">{t.key}<input class="mono" value={found} required maxLength={128} spellcheck={false} onInput={(event) => setKey(event.currentTarget.value)} /><Wrong>{wrong["key"]}</Wrong></label>
        <Wrong>{wrong[""]}</Wrong>
        <div class="bar"><span class="grow" /><button type="button" class="plain" onClick={onClose}>{t.cancel}</button><button type="submit" class="primary" disabled={!found}>{t.newSegment}</button></div>
      </form>
    </Layer>
  );
}
