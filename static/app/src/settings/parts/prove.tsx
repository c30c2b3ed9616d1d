/** "Confirm that it is you": by password or code, where the server asks for it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { server } from "../../store/server.ts";
import { me } from "../../store/session.ts";
import { Layer } from "../../ui/layer.tsx";
import { t } from "../../ui/texts.ts";
import { s } from "../texts.ts";
import { proving } from "./act.ts";
import { wordsOf } from "./asked.ts";

export function Prove() {
  return proving.value ? <Question {...proving.value} /> : null;
}

function Question({ go, stop }: { go: () => void; stop: () => void }) {
  const [word, setWord] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const proofs = me.value?.proofs ?? [];
  const byPassword = proofs.includes("password");
  const typed = byPassword || proofs.includes("totp") || proofs.includes("recovery");
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []); // not the hidden one, which keepers of passwords read
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await server.auth.elevate(byPassword ? { password: word } : { code: word });
      go();
    } catch (error) {
      setWrong(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <Layer label={s.prove.title} kind="dialog" onClose={stop}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <h2>{s.prove.title}</h2>
        <p class="meta">{s.prove.why}</p>
        {byPassword && <input class="hidden" type="text" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={me.value?.member.email ?? ""} />}
        {typed && (
          <label class="field">
            {byPassword ? s.prove.password : s.prove.code}
            <input
              type={(byPassword ? "password" : "text") as "text"}
              autocomplete={byPassword ? "current-password" : "one-time-code"}
              required
              ref={first}
              value={word}
              onInput={(event) => setWord(event.currentTarget.value)}
            />
          </label>
        )}
        {!typed && <p>{s.prove.elsewhere} <a href={`/elevate?next=${encodeURIComponent(location.pathname)}`}>{s.prove.page}</a></p>}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={stop}>{t.cancel}</button>
          {typed && <button type="submit" class="primary" disabled={busy}>{s.prove.confirm}</button>}
        </div>
      </form>
    </Layer>
  );
}
