/** Which parts of kbwork are on in this org. */
import type { Org } from "@kbwork/client";
import { attempt } from "../parts/act.ts";
import { Section } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.org;

export function Modules({ org, shut }: { org: Org; shut: string | undefined }) {
  const turn = (name: string, on: boolean): void =>
    void attempt("org.modules_set", on ? { on: [name] } : { off: [name] }, { said: w.turned(name, on), undo: true });
  return (
    <Section title={w.modules} what={w.modulesWhat}>
      <div class="form wide-form">
        <div class="choices all">
          {Object.entries(org.modules).map(([name, on]) => (
            <label key={name}>
              <input type="checkbox" checked={on} disabled={shut !== undefined} onChange={(event) => {
                event.currentTarget.checked = on; // it turns when the server did
                turn(name, !on);
              }} />
              {name}
            </label>
          ))}
        </div>
      </div>
    </Section>
  );
}
