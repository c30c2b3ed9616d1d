/** A new saved check of a flag. */
import { useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { Layer } from "../ui/layer.tsx";
import { byField } from "./asked.ts";
import { called, variationsOf } from "./model.ts";
import { EnvironmentName, Wrong } from "./parts.tsx";
import type { Placed } from "./rollout.tsx";
import { t } from "./texts.ts";
import { done, useOnce } from "./writing.ts";

const NOBODY = '{"kind": "user", "key": ""}';
const DEFAULT = "default";

export function CheckDialog({ flag, environment, onClose }: Placed & { onClose: () => void }) {
  const [name, setName] = useState("");
  const [context, setContext] = useState(NOBODY);
  const [gets, setGets] = useState("0");
  const [enforce, setEnforce] = useState(true);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { busy, once } = useOnce();
  const make = async (): Promise<void> => {
    const who = read(context);
    if (!who) return setWrong({ context: t.noContext });
    setWrong({});
    try {
      const expected = { [flag.key]: gets === DEFAULT ? null : Number(gets) };
      const asked = { project: flag.project, environment: environment.key, name, context: who, expected, enforce };
      await done(once((wish) => server.flags.check_save(asked, wish)));
      onClose();
    } catch (error) {
      setWrong(byField(error));
    }
  };
  return (
    <Layer label={t.newCheck} kind="dialog" onClose={onClose}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void make(); }}>
        <h2 class="bar"><span class="cut" dir="auto">{t.checkOf(flag.name)}</span><EnvironmentName of={environment} /></h2>
        <label class="field">{t.name}<input value={name} maxLength={500} required autocomplete="off" placeholder={t.checkPlace} onInput={(event) => setName(event.currentTarget.value)} /><Wrong>{wrong["name"]}</Wrong></label>
        <label class="field">{t.context}<textarea class="mono" rows={3} required spellcheck={false} value={context} onInput={(event) => setContext(event.currentTarget.value)} /><Wrong>{wrong["context"]}</Wrong></label>
        <label class="field">
          {t.shouldGet}
          <select value={gets} onChange={(event) => setGets(event.currentTarget.value)}>
            {variationsOf(flag).map((_, at) => <option key={at} value={String(at)}>{called(flag, at)}</option>)}
            <option value={DEFAULT}>{t.programsDefault}</option>
          </select>
        </label>
        <label class="check"><input type="checkbox" checked={enforce} onChange={(event) => setEnforce(event.currentTarget.checked)} /> {t.enforceAsk}</label>
        <Wrong>{wrong[""] ?? wrong["expected"] ?? wrong["environment"]}</Wrong>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy}>{t.save}</button>
        </div>
      </form>
    </Layer>
  );
}

function read(text: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return found && typeof found === "object" && !Array.isArray(found) ? (found as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
