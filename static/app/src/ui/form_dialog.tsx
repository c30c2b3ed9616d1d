/** A dialog that is filled in and sent: what was wrong with it stands above its buttons. */
import type { ComponentChildren } from "preact";
import { Layer } from "./layer.tsx";
import { t } from "./texts.ts";

interface FormDialogProps {
  readonly title: string;
  readonly button: string;
  readonly busy: boolean;
  readonly wrong: string | undefined;
  readonly onSend: () => Promise<void>;
  readonly onClose: () => void;
  /** By its button; left out: as it is closed. */
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ title, button, busy, wrong, onSend, onClose, onCancel = onClose, children }: FormDialogProps) {
  return (
    <Layer label={title} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void onSend();
        }}
      >
        <h2 dir="auto">{title}</h2>
        {children}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onCancel}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy}>{button}</button>
        </div>
      </form>
    </Layer>
  );
}
