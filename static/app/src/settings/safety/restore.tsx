/** Putting a backup back: all of it, in the place of what is there, or one project beside it. */
import { useState } from "preact/hooks";
import { type Job, Problem } from "@kbwork/client";
import { away, server } from "../../store/server.ts";
import { act, NotProven } from "../parts/act.ts";
import { wordsOf } from "../parts/asked.ts";
import { Section, Sure } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.backups;
const EVERY_MS = 1_000;

export function Restore({ id }: { id: string }) {
  const [project, setProject] = useState("");
  const [job, setJob] = useState<Job>();
  const [wrong, setWrong] = useState<string>();
  const restore = async (): Promise<void> => {
    setWrong(undefined);
    try {
      const { job: started } = await act("backups.restore", { id, scope: project ? `project:${project}` : "all" });
      await follow(started);
    } catch (error) {
      if (!(error instanceof NotProven)) setWrong(wordsOf(error));
    }
  };
  const follow = async (started: number): Promise<void> => {
    for (;;) {
      try {
        const now = await server.jobs.get({ id: started });
        setJob(now);
        if (now.state === "failed") return setWrong(now.error ?? w.notRestored);
        if (now.state === "done" || now.state === "cancelled") break;
      } catch (error) {
        if (!project && error instanceof Problem && !away(error)) break; // of the job and the session nothing may be left
        if (!away(error)) throw error;
      }
      await new Promise((go) => setTimeout(go, EVERY_MS));
    }
    if (!project) location.reload(); // everything that the app holds is of before
  };
  return (
    <Section title={w.restore} what={w.restoreWhat}>
      <div class="bar filters">
        <input class="line" aria-label={w.project} placeholder={w.project} value={project} onInput={(event) => setProject(event.currentTarget.value.trim().toUpperCase())} />
        <Sure
          title={project ? w.restoreProject(project) : w.restoreAll}
          what={project ? w.restoreProjectWhat : w.restoreAllWhat}
          yes={w.restoreYes}
          onYes={() => void restore()}
        />
      </div>
      {job && job.state !== "failed" && <div class="running"><progress max={1} value={job.progress} aria-label={w.restore} /><span class="meta" role="status">{job.message || job.state}</span></div>}
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
    </Section>
  );
}
