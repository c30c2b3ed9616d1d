/** The trash: what was deleted by whom, and when it goes for good. */
import { useState } from "preact/hooks";
import type { TrashEntry } from "@kbwork/client";
import { nowMs } from "../../store/clock.ts";
import { server } from "../../store/server.ts";
import { may } from "../../store/session.ts";
import { tables } from "../../store/tables.ts";
import { say } from "../../ui/notes.tsx";
import { exactly, number, when } from "../../ui/texts.ts";
import { attempt } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { Listing } from "../parts/listing.tsx";
import { Page as Frame, Sure, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";

const [TITLE, WHAT] = s.places.trash;
const w = s.trash;
const MOST_PAGES = 10;

export function Page() {
  const [kind, setKind] = useState("");
  const asked = useAsked(async () => {
    const found: TrashEntry[] = [];
    for await (const entry of server.every("trash.list", { limit: 200 }, { most: MOST_PAGES })) found.push(entry);
    return found;
  });
  const admin = may("admin");
  const restore = async (entry: TrashEntry): Promise<void> => {
    const found = await attempt("trash.restore", { ids: [entry.id] }, { said: w.restored(entry.title), undo: true });
    const [failed] = found?.failed ?? [];
    if (failed) say(failed.reason);
  };
  const kinds = [...new Set((asked.data ?? []).map((entry) => entry.kind))].sort();
  return (
    <Frame
      title={TITLE}
      what={WHAT}
      shut={admin ? undefined : w.shut}
      acts={admin && (asked.data?.length ?? 0) > 0 && (
        <Sure title={kind ? w.emptyKind(kind) : w.emptyIt} what={w.purgeWhat} yes={w.purge} onYes={() => void attempt("trash.empty", kind ? { kinds: [kind] } : {}, { said: w.emptying })} />
      )}
    >
      <Told asked={asked}>
        {(all) => (
          <Listing
            label={TITLE}
            things={all.filter((entry) => !kind || entry.kind === kind)}
            idOf={(entry) => entry.id}
            wordsOf={(entry) => `${entry.title} ${entry.kind} ${entry.subject}`}
            empty={w.none}
            filters={kinds.length > 1 && (
              <select aria-label={w.kind} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
                <option value="">{w.allKinds}</option>
                {kinds.map((one) => <option key={one} value={one}>{one}</option>)}
              </select>
            )}
            columns={[
              { title: w.title, of: (entry) => <span dir="auto"><strong>{entry.title}</strong>{entry.items > 1 && <span class="meta"> {w.with(entry.items - 1)}</span>}</span>, kind: "wide" },
              { title: w.kind, of: (entry) => entry.kind },
              { title: s.by, of: (entry) => tables.member.watch(entry.deleted_by)?.name ?? entry.deleted_by },
              { title: s.at, of: (entry) => <time title={exactly(entry.deleted_at)}>{when(entry.deleted_at)}</time> },
              { title: w.goes, of: (entry) => (entry.purge_at === null ? w.never : w.inDays(Math.max(0, Math.ceil((entry.purge_at - nowMs() / 1000) / 86_400)))), kind: "number" },
              {
                title: s.acts,
                kind: "acts",
                of: (entry) => (
                  <span class="bar">
                    {entry.can_restore && <button type="button" aria-label={w.restoreOf(entry.title)} onClick={() => void restore(entry)}>{w.restore}</button>}
                    {admin && <Sure title={w.purge} what={w.purgeWhat} yes={w.purge} onYes={() => void attempt("trash.purge", { ids: [entry.id] }, { said: w.purged(number(1)) })} />}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Told>
    </Frame>
  );
}
