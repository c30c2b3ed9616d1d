/** Where the chosen words lead. */
import { useState } from "preact/hooks";
import { Layer } from "../ui/layer.tsx";
import { t } from "../ui/texts.ts";
import { addressOf } from "./address.ts";
import { isHarmless } from "./schema.ts";
import { words } from "./texts.ts";

interface LinkDialogProps {
  readonly href: string;
  /** Where it leads, and what was written for that. */
  readonly onSet: (href: string, written: string) => void;
  readonly onClose: () => void;
}

export function LinkDialog({ href: first, onSet, onClose }: LinkDialogProps) {
  const [href, setHref] = useState(first);
  const [wrong, setWrong] = useState(false);
  return (
    <Layer label={words.link} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // it may stand in another form
          const written = href.trim();
          const leads = written === first ? first : addressOf(written); // what stands there already may be meant so
          if (isHarmless(leads)) onSet(leads, written);
          else setWrong(true);
        }}
      >
        <label class="field">
          {words.address}
          <input value={href} maxLength={2000} autocomplete="off" dir="ltr" aria-invalid={wrong} onInput={(event) => (setHref(event.currentTarget.value), setWrong(false))} />
          {first && <span class="meta">{words.addressWhat}</span>}
        </label>
        {wrong && <p class="wrong" role="alert">{words.noAddress}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={!first && !href.trim()}>{words.setLink}</button>
        </div>
      </form>
    </Layer>
  );
}
