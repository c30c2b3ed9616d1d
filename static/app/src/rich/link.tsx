/** Where the chosen words lead. */
import { useState } from "preact/hooks";
import { Layer } from "../ui/layer.tsx";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";

interface LinkDialogProps {
  readonly href: string;
  readonly onSet: (href: string) => void;
  readonly onClose: () => void;
}

export function LinkDialog({ href: first, onSet, onClose }: LinkDialogProps) {
  const [href, setHref] = useState(first);
  return (
    <Layer label={words.link} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // it may stand in another form
          onSet(href.trim());
        }}
      >
        <label class="field">
          {words.address}
          <input value={href} maxLength={2000} autocomplete="off" dir="ltr" onInput={(event) => setHref(event.currentTarget.value)} />
          {first && <span class="meta">{words.addressWhat}</span>}
        </label>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={!first && !href.trim()}>{words.setLink}</button>
        </div>
      </form>
    </Layer>
  );
}
