/** One thing, looked at and changed over the list that it stands in. */
import type { ComponentChildren } from "preact";
import { Layer } from "../../ui/layer.tsx";
import { Icon } from "../../ui/icons.tsx";
import { t } from "../../ui/texts.ts";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  return (
    <Layer label={title} kind="dialog" onClose={onClose}>
      <div class="set-page">
        <header class="bar">
          <h2 class="grow" dir="auto">{title}</h2>
          <button type="button" class="mini" aria-label={t.close} onClick={onClose}><Icon of="close" /></button>
        </header>
        {children}
      </div>
    </Layer>
  );
}
