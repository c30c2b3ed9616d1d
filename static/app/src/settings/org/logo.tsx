/** The pictures of the org: for light screens, and for dark ones. */
import { useState } from "preact/hooks";
import type { Org } from "@kbwork/client";
import { attempt } from "../parts/act.ts";
import { Section } from "../parts/page.tsx";
import { s } from "../texts.ts";

const w = s.org;
const MOST_BYTES = 1024 * 1024;

export function Logo({ org }: { org: Org }) {
  const [wrong, setWrong] = useState<string>();
  const take = async (file: File | undefined, dark: boolean): Promise<void> => {
    if (!file) return;
    setWrong(file.size > MOST_BYTES ? w.logoTooLarge : undefined);
    if (file.size > MOST_BYTES) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    await attempt("org.logo_set", { data: btoa(text), dark }, { said: w.logoSet });
  };
  return (
    <Section title={w.logo} what={w.logoWhat}>
      <div class="bar logo">
        {org.logo && <img src={org.logo} alt={w.logoNow} width="40" height="40" />}
        {[false, true].map((dark) => (
          <label class="pick-file" key={String(dark)}>
            {dark ? w.logoDark : w.logoLight}
            <input type="file" accept="image/png,image/jpeg,image/gif,image/webp" onChange={(event) => void take(event.currentTarget.files?.[0], dark)} />
          </label>
        ))}
        {org.logo && <button type="button" onClick={() => void attempt("org.logo_set", { data: null }, { said: w.logoGone })}>{w.logoRemove}</button>}
      </div>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
    </Section>
  );
}
