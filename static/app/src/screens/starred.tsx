/** In the rail, what the person starred, in their order, each by its sign. */
import { useEffect } from "preact/hooks";
import { partOf } from "../issues/lanes.ts";
import { Emblem } from "../pages/marks.tsx";
import { fetchStars, type Starred, starred } from "../store/stars.ts";
import { tables } from "../store/tables.ts";
import { Icon, LaneIcon } from "../ui/icons.tsx";
import { isScreen } from "../ui/places.ts";
import { path as here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";

/** So many stand there, the rest is found by words. */
const MOST = 20;
const SIGNS = ["project", "view", "sprint", "flag"] as const;

export function StarredThings() {
  useEffect(() => {
    // Another tab, or another program of theirs, may have set one.
    const look = (): void => void fetchStars();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  if (!starred.value.length) return null;
  return (
    <section class="scope" aria-label={t.starred}>
      <h2>{t.starred}</h2>
      {starred.value.slice(0, MOST).map((one) => {
        const { subject, label, path } = one;
        return (
          <a class="place" key={subject} data-in={isScreen(path) || undefined} href={path} aria-current={path === here.value ? "page" : undefined}>
            <Mark of={one} />
            <span class="cut" dir="auto">{label ?? titleOf(one)}</span>
          </a>
        );
      })}
    </section>
  );
}

/** An issue as it is called now, without its key. */
function titleOf({ kind, subject, title }: Starred): string {
  return kind === "issue" ? (issueOf(subject)?.title ?? title) : title;
}

function issueOf(subject: string) {
  return tables.issue.watch(Number(subject.split(":")[1]));
}

function Mark({ of: { kind, subject, icon } }: { of: Starred }) {
  if (kind === "issue") {
    const lane = tables.lane.watch(issueOf(subject)?.lane ?? "");
    return <LaneIcon lane={lane} part={partOf(lane)} />;
  }
  if (kind === "page" || kind === "space") return <Emblem of={icon} />;
  return <Icon of={SIGNS.find((sign) => sign === kind) ?? "star"} />;
}
