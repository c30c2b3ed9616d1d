/** An issue that is not kept: done long ago, archived, or not there. */
import { useEffect, useState } from "preact/hooks";
import { away } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import type { Thread as ThreadOf } from "../talk/comments.tsx";
import type { Topic } from "../talk/topic.ts";
import { Markdown } from "../ui/markdown.tsx";
import { t } from "../ui/texts.ts";
import type { About, Details } from "./details.ts";

/** What it has in common with the page of one that is kept is given to it: imported, it would come in pieces to both. */
interface AbsentProps {
  readonly asked: string;
  readonly detailsOf: (key: string) => Promise<Details>;
  readonly topicOf: (issue: About) => Topic;
  readonly Thread: typeof ThreadOf;
}

export function Absent({ asked, detailsOf, topicOf, Thread }: AbsentProps) {
  const [wrong, setWrong] = useState<string>();
  const [found, setFound] = useState<Details>();
  const isAway = offlineSince.value !== undefined;
  useEffect(() => {
    let late = false;
    setWrong(undefined);
    setFound(undefined);
    detailsOf(asked)
      .then((told) => late || setFound(told))
      .catch((error: unknown) => late || setWrong(away(error) ? t.textAway : t.noIssue(asked)));
    return () => {
      late = true;
    };
  }, [asked, isAway]);
  if (wrong) return <div class="empty"><h1>{wrong}</h1></div>;
  if (!found) return <p class="meta pad">{t.loading}</p>;
  const { whole, comments } = found;
  return (
    <article class="issue" aria-label={whole.key}>
      <header class="bar"><span class="key meta">{whole.key}</span></header>
      <h1 dir="auto">{whole.title}</h1>
      <p class="fields"><span class="chip">{whole.status}</span></p>
      <Markdown text={whole.body} />
      <ol class="comments">
        {comments.filter(({ parent }) => parent === null).map((one) => <Thread key={one.id} topic={topicOf(whole)} starter={one} comments={comments} canComment={false} />)}
      </ol>
    </article>
  );
}
