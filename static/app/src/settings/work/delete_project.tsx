/** Putting a project into the trash: with all its issues, so it is asked for by its key. */
import { useState } from "preact/hooks";
import { act } from "../parts/act.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { s } from "../texts.ts";

const w = s.projects;

export function DeleteProject({ project, label, onDone }: { project: string; label?: string; onDone?: () => void }) {
  const [open, setOpen] = useState(false);
  const remove = async (confirm: string): Promise<void> => {
    await act("projects.delete", { key: project, confirm_key: confirm }, { said: w.deleted(project), undo: true });
    setOpen(false);
    onDone?.();
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>{label ?? w.delete}</button>
      {open && (
        <Dialog title={w.deleteTitle(project)} onClose={() => setOpen(false)}>
          <p class="meta what">{w.deleteWhat}</p>
          <Form
            name={`settings.projects.${project}.delete`}
            fields={[{ name: "confirm_key", label: w.typeKey(project), required: true }]}
            value={{}}
            submit={w.delete}
            onSave={(_, all) => remove(String(all["confirm_key"] ?? ""))}
          />
        </Dialog>
      )}
    </>
  );
}
