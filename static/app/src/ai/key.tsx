/** A key of one's own, which this browser keeps: typed once, and never shown again. */
import type { AIProvider } from "@kbwork/client";
import { useId, useState } from "preact/hooks";
import { keepOwnKey, ownKey } from "../store/models.ts";
import { words } from "./texts.ts";

export function OwnKey({ provider, onChange }: { provider: AIProvider; onChange?: () => void }) {
  const [typed, setTyped] = useState("");
  const [, setChanges] = useState(0);
  const hint = useId();
  const keep = (key: string): void => {
    keepOwnKey(provider, key);
    setTyped("");
    setChanges((count) => count + 1);
    onChange?.();
  };
  if (ownKey(provider) !== undefined) {
    return (
      <p class="bar">
        <span class="meta">{words.kept(provider.label)}</span>
        <button type="button" class="plain" onClick={() => keep("")}>{words.forget}</button>
      </p>
    );
  }
  return (
    <form
      class="bar own-key"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) keep(typed.trim());
      }}
    >
      <label class="field">
        {words.key(provider.label)}
        <input type="password" autocomplete="off" spellcheck={false} aria-describedby={hint} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <span class="meta" id={hint}>{words.keyWhat(new URL(provider.base_url).host)}</span>
      </label>
      <button type="submit">{words.keep}</button>
    </form>
  );
}
