/** What an issue stands beside: the flags that belong to it, and the pages that name it. */
import { useEffect, useState } from "preact/hooks";
import type { Backlink, IssueFlag } from "@kbwork/client";
import { server } from "../store/server.ts";
import { Icon } from "../ui/icons.tsx";
import { w } from "./texts.ts";

/** The feature flags that belong to it, and what they do where. */
export function Flags({ flags }: { flags: readonly IssueFlag[] }) {
  return (
    <section aria-label={w.flags}>
      <h2>{w.flags}</h2>
      <ul class="around">
        {flags.map((flag) => (
          <li class="bar" key={`${flag.project}/${flag.key}`}>
            <Icon of="flag" />
            <a class="cut grow" data-in href={`/flags/${flag.project}/${flag.key}`} dir="auto">{flag.name}</a>
            {Object.entries(flag.environments).map(([name, { on, serves }]) => (
              <span key={name} class={`chip ${on ? "flag-on" : ""}`} title={serves ?? ""}>
                {name} {on ? w.on : w.off}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The pages that name it; without a network there are none. */
export function Mentions({ issueKey }: { issueKey: string }) {
  const [pages, setPages] = useState<readonly Backlink[]>([]);
  useEffect(() => {
    let late = false;
    server.issues.backlinks({ key: issueKey }).then(
      (found) => late || setPages(found.filter(({ subject }) => subject.startsWith("page:"))),
      () => undefined,
    );
    return () => {
      late = true;
    };
  }, []);
  if (!pages.length) return null;
  return (
    <section aria-label={w.mentions}>
      <h2>{w.mentions}</h2>
      <ul class="around">
        {pages.map(({ subject, title, excerpt }) => (
          <li class="bar" key={subject}>
            <Icon of="page" />
            <a class="cut grow" data-in href={`/pages/${subject.slice(5)}`} title={excerpt} dir="auto">{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
