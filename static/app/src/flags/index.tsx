/** Flags: who gets what of which feature, in each environment. */
import type { FlagProject } from "@kbwork/client";
import { useEffect } from "preact/hooks";
import { may } from "../store/session.ts";
import { Icon } from "../ui/icons.tsx";
import { go, query } from "../ui/router.ts";
import { TopBar } from "../ui/topbar.tsx";
import { WordFilter } from "../ui/word_filter.tsx";
import { useAsked } from "./asked.ts";
import { useEnvironments, useProjects } from "./catalogue.ts";
import { keepProject, keptProject } from "./chosen.ts";
import { isAdmin } from "../store/rights.ts";
import { editEnvironment, environmentAsked, flagIn, newFlag, newProject, projectAsked, reviewed } from "./asking.ts";
import { FlagPage } from "./flag.tsx";
import { useCommands } from "./keys.ts";
import { fetchAll, lazily } from "./lazily.tsx";
import { FlagList } from "./list.tsx";
import { environmentOf, goWith, words } from "./listed.ts";
import { pathOf } from "./model.ts";
import { Empty, Sign, Wrong } from "./parts.tsx";
import style from "./style.css";
import { t } from "./texts.ts";
import { server } from "../store/server.ts";

export { style };

const Changes = lazily(() => import("./changes.tsx").then((made) => made.Changes));
const Change = lazily(() => import("./change.tsx").then((made) => made.ChangePage));
const Segments = lazily(() => import("./segments.tsx").then((made) => made.Segments));
const Segment = lazily(() => import("./segment.tsx").then((made) => made.SegmentPage));
const Environments = lazily(() => import("./environments.tsx").then((made) => made.Environments));
const Compare = lazily(() => import("./compare.tsx").then((made) => made.CompareProject));

const FlagDialog = lazily(() => import("./create.tsx").then((made) => made.FlagDialog), true);
const SetupDialogs = lazily(() => import("./setup.tsx").then((made) => made.SetupDialogs), true);
const ReviewDialog = lazily(() => import("./review.tsx").then((made) => made.ReviewDialog), true);

export function Screen({ path }: { path: readonly string[] }) {
  const projects = useProjects();
  const [project] = path;
  const isThere = projects.data !== undefined;
  useEffect(() => {
    if (isThere) fetchAll();
  }, [isThere]);
  useEffect(() => {
    if (project || !projects.data?.length) return;
    const kept = projects.data.find((one) => one.project === keptProject()) ?? projects.data[0]!;
    go(pathOf(kept.project), { replace: true });
  }, [project, projects.data]);
  useEffect(() => {
    if (project) keepProject(project);
  }, [project]);
  const found = projects.data?.find((one) => one.project === project);
  return (
    <>
      <Bar projects={projects.data ?? []} project={project} path={path} />
      {found && path.length === 1 && !query.value.get("show") && found.environments.length > 0 && <Filters project={found.project} />}
      {projects.wrong !== undefined && !projects.data ? <Wrong>{projects.wrong}</Wrong> : <Body path={path} projects={projects.data} found={found} />}
      {flagIn.value !== undefined && <FlagDialog />}
      {(projectAsked.value || environmentAsked.value) && <SetupDialogs />}
      {reviewed.value && <ReviewDialog />}
    </>
  );
}

function Body({ path, projects, found }: { path: readonly string[]; projects: readonly FlagProject[] | undefined; found: FlagProject | undefined }) {
  const [project, second, third, fourth] = path;
  if (!projects) return <p class="meta pad late-word">{t.loading}</p>;
  if (!projects.length) {
    return (
      <Empty title={t.noProjects} what={isAdmin() ? t.noProjectsWhat : t.noProjectsAsk}>
        {isAdmin() && <button type="button" class="primary" onClick={newProject}>{t.newProject}</button>}
      </Empty>
    );
  }
  if (!project) return null;
  if (!found) return <Empty title={t.nowhere}><a data-in href="/flags">{t.toFlags}</a></Empty>;
  if (second === "changes" && third && /^\d+$/.test(third)) return <Change key={third} project={project} id={Number(third)} />;
  if (second === "segments" && third && fourth) return <Segment key={`${third}/${fourth}`} project={project} environment={third} of={fourth} />;
  if (second) return <FlagPage key={second} project={project} of={second} tab={third} />;
  const show = query.value.get("show");
  if (show === "changes") return <Changes project={project} />;
  if (show === "segments") return <Segments project={project} />;
  if (show === "environments") return <Environments project={project} />;
  if (show === "compare") return <Compare project={project} />;
  if (!found.environments.length) {
    return (
      <Empty title={t.noEnvironments} what={t.noEnvironmentsWhat}>
        {isAdmin() && <button type="button" class="primary" onClick={() => editEnvironment(project)}>{t.newEnvironment}</button>}
      </Empty>
    );
  }
  return <FlagList project={project} />;
}

const PLACES = ["", "changes", "segments", "environments", "compare"] as const;

function Bar({ projects, project, path }: { projects: readonly FlagProject[]; project: string | undefined; path: readonly string[] }) {
  const [, second] = path;
  const found = projects.find((one) => one.project === project);
  const show = second ? undefined : (query.value.get("show") ?? "");
  const waiting = useAsked(project && found ? `changes ${project} pending` : null, () => server.flags.changes({ project: project!, status: "pending" })).data?.length ?? 0;
  const isList = show === "" && found !== undefined;
  useCommands([
    { id: "flags:new", title: t.newFlag, keys: ["n"], when: () => found !== undefined && may("flags:write"), run: () => newFlag(project!) },
    { id: "flags:project", title: t.newProject, when: isAdmin, run: newProject },
    ...PLACES.map((one) => ({ id: `flags:to-${one}`, title: `${t.flags}: ${t.places[one]}`, when: () => found !== undefined, run: () => go(pathOf(project!) + (one && `?show=${one}`)) })),
  ]);
  return (
    <TopBar title={t.flags}>
      {projects.length > 0 && (
        <select class="choose" aria-label={t.project} value={project ?? ""} onChange={(event) => go(pathOf(event.currentTarget.value))}>
          {!found && <option value={project ?? ""}>{project}</option>}
          {projects.map((one) => <option key={one.project} value={one.project}>{one.name}</option>)}
        </select>
      )}
      {found && (
        <nav class="screens" aria-label={t.screens}>
          {PLACES.map((one) => (
            <a key={one} data-in href={pathOf(found.project) + (one && `?show=${one}`)} aria-current={show === one ? "page" : undefined}>
              {t.places[one]}{one === "changes" && waiting > 0 && <span class="badge warn">{waiting}</span>}
            </a>
          ))}
        </nav>
      )}
      <span class="grow" />
      {found && isList && may("flags:write") && found.environments.length > 0 && (
        <button type="button" class="primary" aria-label={t.newFlag} onClick={() => newFlag(found.project)}><Icon of="plus" /><span class="wide-only">{t.newFlag}</span><kbd class="wide-only">N</kbd></button>
      )}
    </TopBar>
  );
}

function Filters({ project }: { project: string }) {
  const environments = useEnvironments(project).data ?? [];
  const environment = environmentOf(project, environments);
  const tag = query.value.get("tag");
  return (
    <div class="narrowing" role="search">
      {environments.length > 1 && environment && (
        <span class={`choose-env${environment.critical ? " critical" : ""}`}>
          {environment.critical && <Sign of="lock" />}
          <select class="choose" aria-label={t.environment} value={environment.key} onChange={(event) => goWith({ env: event.currentTarget.value })}>
            {environments.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
          </select>
        </span>
      )}
      {tag && <button type="button" class="chip" aria-label={t.without(tag)} onClick={() => goWith({ tag: null })}>{tag} ×</button>}
      <select class="choose" aria-label={t.state} value={query.value.get("state") ?? ""} onChange={(event) => goWith({ state: event.currentTarget.value })}>
        {Object.entries(t.states).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
      </select>
      <WordFilter words={words} list=".list" />
    </div>
  );
}
