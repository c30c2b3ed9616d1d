/** Publishing with a word on what is new. */
import { useState } from "preact/hooks";
import { Layer } from "../ui/layer.tsx";
import { t } from "../ui/texts.ts";
import { words } from "./texts.ts";

interface PublishDialogProps {
  readonly onPublish: (more: { note: string; notify: boolean }) => Promise<void>;
  readonly onClose: () => void;
}

export function PublishDialog({ onPublish, onClose }: PublishDialogProps) {
  const [note, setNote] = useState("");
  const [notify, setNotify] = useState(true);
  return (
    <Layer label={words.publishNote} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void onPublish({ note: note.trim(), notify });
        }}
      >
        <h2>{words.publish}</h2>
        <label class="field">
          {words.note}
          <input value={note} maxLength={2000} autocomplete="off" dir="auto" onInput={(event) => setNote(event.currentTarget.value)} />
          <span class="meta">{words.noteWhat}</span>
        </label>
        <label class="bar"><input type="checkbox" checked={notify} onChange={() => setNotify(!notify)} /> {words.notify}</label>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary">{words.publish}</button>
        </div>
      </form>
    </Layer>
  );
}
