/** Which keys do what, here and now. */
import { useMemo } from "preact/hooks";
import { dismiss } from "../issues/asked.ts";
import { available, written } from "../ui/commands.ts";
import { Layer } from "../ui/layer.tsx";
import { t } from "../ui/texts.ts";

export function Help() {
  const groups = useMemo(() => Map.groupBy(available().filter((command) => command.keys?.length), (one) => one.group), []);
  return (
    <Layer label={t.help} kind="dialog" onClose={dismiss}>
      <h2>{t.help}</h2>
      <div class="keys">
        {[...groups].map(([group, commands]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id}>
                  <dt>{command.title}</dt>
                  <dd>{command.keys!.slice(0, 1).map((keys) => <kbd key={keys}>{written(keys)}</kbd>)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" class="primary" onClick={dismiss}>{t.close}</button>
    </Layer>
  );
}
