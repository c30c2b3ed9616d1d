/** The environments of a project: what they ask for, and the keys by which programs come in. */
import type { Environment } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { told } from "./asked.ts";
import { useEnvironments } from "./catalogue.ts";
import { Keys } from "./sdk.tsx";
import { Badge, EnvironmentName, Sign, Wrong } from "./parts.tsx";
import { isAdmin } from "../store/rights.ts";
import { editEnvironment } from "./asking.ts";
import { t } from "./texts.ts";
import { done } from "./writing.ts";

export function Environments({ project }: { project: string }) {
  const asked = useEnvironments(project);
  const [gone, setGone] = useState<Environment>();
  return (
    <div class="page flag-page narrow">
      <div class="bar headline">
        <h1 class="grow">{t.environments}</h1>
        {isAdmin() && <button type="button" class="primary" onClick={() => editEnvironment(project)}>{t.newEnvironment}</button>}
      </div>
      <Wrong>{asked.data ? undefined : asked.wrong}</Wrong>
      {(asked.data ?? []).map((one) => (
        <section class="block environment-block" key={one.key} aria-label={one.name}>
          <div class="bar facts">
            <h2><EnvironmentName of={one} /></h2>
            <code class="meta">{one.key}</code>
            {one.critical && <Badge kind="warn"><Sign of="lock" /> {t.critical}</Badge>}
            {one.require_approval && <Badge>{t.asksApproval(one.min_approvals)}{one.allow_self_approval && `, ${t.ownToo}`}</Badge>}
            <span class="grow" />
            {isAdmin() && <button type="button" class="plain" aria-label={t.editOf(one.name)} onClick={() => editEnvironment(project, one)}>{t.edit}</button>}
            {isAdmin() && <button type="button" class="plain" aria-label={t.deleteOf(one.name)} onClick={() => setGone(one)}>{t.delete}</button>}
          </div>
          {isAdmin() ? <Keys project={project} environment={one} /> : <p class="meta">{t.keysByAdmins}</p>}
        </section>
      ))}
      {gone && <Gone project={project} of={gone} onClose={() => setGone(undefined)} />}
    </div>
  );
}

function Gone({ project, of, onClose }: { project: string; of: Environment; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const end = async (): Promise<void> => {
    try {
      await done(server.flags.environment_delete({ project, key: of.key, confirm_key: typed.trim() }));
      onClose();
    } catch (error) {
      setWrong(told(error));
    }
  };
  return (
    <Layer label={t.deleteOf(of.name)} kind="dialog" onClose={onClose}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void end(); }}>
        <h2>{t.deleteOf(of.name)}</h2>
        <p>{t.environmentGoes}</p>
        <label class="field confirm">{t.confirmKey(of.key)}<input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
        <Wrong>{wrong}</Wrong>
        <div class="bar"><span class="grow" /><button type="button" class="plain" onClick={onClose}>{t.cancel}</button><button type="submit" class="primary risky" disabled={typed.trim() !== of.key}>{t.delete}</button></div>
      </form>
    </Layer>
  );
}
