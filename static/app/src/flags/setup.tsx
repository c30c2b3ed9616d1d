/** A project for flags, and an environment in it: those who keep them make them here. */
import type { Environment } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import type { Wish } from "../store/wish.ts";
import { Layer } from "../ui/layer.tsx";
import { go } from "../ui/router.ts";
import { compare } from "../ui/texts.ts";
import { byField } from "./asked.ts";
import { environmentAsked, projectAsked } from "./asking.ts";
import { keyOf } from "./create.tsx";
import { pathOf } from "./model.ts";
import { Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done, useOnce } from "./writing.ts";

export function SetupDialogs() {
  return (
    <>
      {projectAsked.value && <ProjectForm />}
      {environmentAsked.value && <EnvironmentForm project={environmentAsked.value.project} of={environmentAsked.value.of} />}
    </>
  );
}

/** What both forms have in common: busy while it is sent, what is refused stands at its field. */
function useSending() {
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { busy, once } = useOnce();
  const send = async (work: (wish: Wish) => Promise<unknown>, then: () => void): Promise<void> => {
    setWrong({});
    try {
      await done(once(work));
      then();
    } catch (error) {
      setWrong(byField(error));
    }
  };
  return { wrong, busy, send };
}

function ProjectForm() {
  const [name, setName] = useState("");
  const [key, setKey] = useState<string>();
  const [work, setWork] = useState("");
  const [first, setFirst] = useState(true);
  const { wrong, busy, send } = useSending();
  const found = key ?? keyOf(name);
  const close = (): void => {
    projectAsked.value = false;
  };
  const make = (): Promise<void> =>
    send(
      async (wish) => {
        await server.flags.project_save({ project: found, name, ...(work && { work_project: work }) }, wish);
        if (!first) return;
        await server.flags.environment_save({ project: found, key: "test", name: "Test" });
        await server.flags.environment_save({ project: found, key: "production", name: "Production", critical: true });
      },
      () => {
        close();
        go(pathOf(found));
      },
    );
  const projects = tables.project.all().filter((one) => one.archived_at === null).sort((one, other) => compare(one.name, other.name));
  return (
    <Layer label={t.newProject} kind="dialog" onClose={close}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void make(); }}>
        <h2>{t.newProject}</h2>
        <label class="field">
          {t.name}
          <input value={name} required maxLength={500} autocomplete="off" placeholder={t.projectPlace} onInput={(event) => setName(event.currentTarget.value)} />
          <Wrong>{wrong["name"]}</Wrong>
        </label>
        <label class="field">
          {t.key}
          <input class="mono" value={found} required maxLength={64} autocomplete="off" spellcheck={false} onInput={(event) => setKey(event.currentTarget.value)} />
          <Wrong>{wrong["project"]}</Wrong>
        </label>
        <label class="field">
          {t.tied}
          <select value={work} onChange={(event) => setWork(event.currentTarget.value)}>
            <option value="">{t.tiedNot}</option>
            {projects.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
          </select>
          <span class="meta">{work ? t.tiedWhat : t.tiedNotWhat}</span>
          <Wrong>{wrong["work_project"]}</Wrong>
        </label>
        <label class="check"><input type="checkbox" checked={first} onChange={(event) => setFirst(event.currentTarget.checked)} /> {t.firstEnvironments}</label>
        <Wrong>{wrong[""]}</Wrong>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={close}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !found}>{t.makeProject}</button>
        </div>
      </form>
    </Layer>
  );
}

function EnvironmentForm({ project: where, of }: { project: string; of: Environment | undefined }) {
  const [name, setName] = useState(of?.name ?? "");
  const [key, setKey] = useState<string>();
  const [critical, setCritical] = useState(of?.critical ?? false);
  const [asks, setAsks] = useState(of?.require_approval ?? false);
  const [least, setLeast] = useState(of?.min_approvals ?? 1);
  const [own, setOwn] = useState(of?.allow_self_approval ?? false);
  const { wrong, busy, send } = useSending();
  const found = of?.key ?? key ?? keyOf(name);
  const close = (): void => {
    environmentAsked.value = undefined;
  };
  const save = (): Promise<void> =>
    send(
      (wish) =>
        server.flags.environment_save(
          { project: where, key: found, name, critical, require_approval: asks, min_approvals: least, allow_self_approval: own },
          wish,
        ),
      close,
    );
  const title = of ? t.environmentOf(of.name) : t.newEnvironment;
  return (
    <Layer label={title} kind="dialog" onClose={close}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void save(); }}>
        <h2>{title}</h2>
        <label class="field">
          {t.name}
          <input value={name} required maxLength={500} autocomplete="off" placeholder={t.environmentPlace} onInput={(event) => setName(event.currentTarget.value)} />
          <Wrong>{wrong["name"]}</Wrong>
        </label>
        <label class="field">
          {t.key}
          <input class="mono" value={found} required maxLength={64} disabled={of !== undefined} spellcheck={false} onInput={(event) => setKey(event.currentTarget.value)} />
          <Wrong>{wrong["key"]}</Wrong>
        </label>
        <label class="check"><input type="checkbox" checked={critical} onChange={(event) => setCritical(event.currentTarget.checked)} /> {t.criticalAsk}</label>
        <label class="check"><input type="checkbox" checked={asks} onChange={(event) => setAsks(event.currentTarget.checked)} /> {t.approvalAsk}</label>
        {asks && (
          <>
            <label class="field short">
              {t.leastApprovals}
              <input type="number" min={1} max={10} value={least} onInput={(event) => setLeast(Number(event.currentTarget.value))} />
              <Wrong>{wrong["min_approvals"]}</Wrong>
            </label>
            <label class="check"><input type="checkbox" checked={own} onChange={(event) => setOwn(event.currentTarget.checked)} /> {t.ownApproval}</label>
          </>
        )}
        <Wrong>{wrong[""]}</Wrong>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={close}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !found}>{of ? t.save : t.makeEnvironment}</button>
        </div>
      </form>
    </Layer>
  );
}
