/** What programs know of a flag: its key, those that it had, and where their code names it. */
import type { Flag } from "@kbwork/client";
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { number } from "../ui/texts.ts";
import { told, useAsked } from "./asked.ts";
import { pathOf } from "./model.ts";
import { Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done, tried } from "./writing.ts";

const MONTH_H = 720;
const MOST = 100;

export function Key({ flag, shut }: { flag: Flag; shut: boolean }) {
  const [key, setKey] = useState(flag.key);
  const [wrong, setWrong] = useState<string>();
  const where = { project: flag.project, key: flag.key };
  const counts = useAsked(flag.aliases.length ? `aliases ${flag.project} ${flag.key}` : null, () => server.flags.insights({ ...where, hours: MONTH_H })).data?.aliases ?? [];
  const rename = async (): Promise<void> => {
    setWrong(undefined);
    try {
      const made = await done(server.flags.rename({ ...where, new_key: key.trim() }));
      say(t.renamed(made.key));
      go(pathOf(flag.project, made.key, "settings") + location.search);
    } catch (error) {
      setWrong(told(error));
    }
  };
  const drop = (alias: string): void => void tried(server.flags.update({ ...where, instructions: [{ kind: "removeAlias", key: alias }] }));
  return (
    <section class="block" aria-label={t.key}>
      <label class="field">
        {t.key}
        <span class="bar">
          <input class="mono grow" value={key} disabled={shut} maxLength={128} spellcheck={false} autocomplete="off" onInput={(event) => setKey(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === "Enter") { event.preventDefault(); void rename(); } }} />
          {!shut && <button type="button" disabled={!key.trim() || key.trim() === flag.key} onClick={() => void rename()}>{t.rename}</button>}
        </span>
        <span class="meta">{t.renameWhat}</span>
      </label>
      <Wrong>{wrong}</Wrong>
      {flag.aliases.length > 0 && (
        <ul class="lines" aria-label={t.aliases}>
          {flag.aliases.map((alias) => (
            <li key={alias}>
              <code class="grow cut">{alias}</code>
              <span class="meta">{t.askedLately(number(counts.find((one) => one.key === alias)?.count ?? 0))}</span>
              {!shut && <button type="button" class="plain" aria-label={t.dropAlias(alias)} onClick={() => drop(alias)}>{t.drop}</button>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function References({ flag }: { flag: Flag }) {
  const where = { project: flag.project, key: flag.key };
  const found = useAsked(`refs ${flag.project} ${flag.key}`, () => server.flags.refs(where)).data;
  if (!found) return null;
  return (
    <section class="block" aria-label={t.references}>
      <h2>{t.references}</h2>
      {!found.length && <p class="meta">{t.noReferences} <code>kbwork flags refs scan . --project {flag.project}</code></p>}
      <ul class="lines" aria-label={t.references}>
        {found.slice(0, MOST).map((one) => (
          <li key={`${one.repository} ${one.branch} ${one.path} ${one.line} ${one.key}`}>
            <span class="grow"><code>{one.path}:{one.line}</code>{one.text && <><br /><code class="meta">{one.text}</code></>}</span>
            <span class="meta" dir="auto">{one.repository} · {one.branch}</span>
          </li>
        ))}
      </ul>
      {found.length > MOST && <p class="meta">{t.andMore(found.length - MOST)}</p>}
    </section>
  );
}
