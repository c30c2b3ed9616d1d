/** The dialogs, which are fetched behind the first screen. */
import { FilterPicker } from "../filter/picker.tsx";
import { QueryDialog } from "../filter/query_dialog.tsx";
import { SaveViewDialog } from "../filter/save_view.tsx";
import { type Asked, dismiss } from "../issues/asked.ts";
import { BulkDialog } from "../issues/bulk_dialog.tsx";
import { FieldPicker } from "../issues/field_picker.tsx";
import { Part } from "../ui/later.tsx";
import { Picker } from "../ui/picker.tsx";
import { CreateDialog } from "./create.tsx";
import { TemplatePicker } from "./create_template.tsx";
import { Help } from "./help.tsx";
import { AskApproval, AskModel, OwnOfMany, PageDialog, RunDialog, SprintDialog, UndoHistory } from "./parts.tsx";
import { Palette } from "../palette/palette.tsx";
import { ProjectDialog } from "./project.tsx";

export { Bulk } from "../issues/bulk.tsx";

export function Dialog({ asked }: { asked: Asked }) {
  switch (asked.name) {
    case "palette":
      return <Palette />;
    case "help":
      return <Help />;
    case "project":
      return <ProjectDialog />;
    case "create":
      return <CreateDialog draft={asked.draft} />;
    case "template":
      return <TemplatePicker />;
    case "filter":
      return <FilterPicker field={asked.field} at={asked.at} />;
    case "query":
      return <QueryDialog />;
    case "save-view":
      return <SaveViewDialog />;
    case "operation":
      return <Part of={RunDialog} props={{ of: asked.of }} above />;
    case "bulk":
      return <BulkDialog asked={asked} />;
    case "field":
      return <FieldPicker asked={asked} />;
    case "own":
      return <Part of={OwnOfMany} props={{ of: asked }} above />;
    case "approval":
      return <Part of={AskApproval} props={{ asking: asked }} above />;
    case "sprint":
      return <Part key={asked.what} of={SprintDialog} props={{ of: asked }} above />;
    case "page":
      return <Part key={asked.what} of={PageDialog} props={{ of: asked }} above />;
    case "undo":
      return <Part of={UndoHistory} props={{}} above />;
    case "model":
      return <Part of={AskModel} props={{ about: asked }} above />;
    case "choice": {
      const options = asked.options.map(({ title, run }) => ({ title, value: title, run }));
      const chosen = asked.options.filter((option) => option.on).map((option) => option.title);
      // Behind the closing of this one: it may ask for another.
      const onChoose = (title: string): void => queueMicrotask(() => options.find((option) => option.value === title)?.run());
      return <Picker key={asked.label} label={asked.label} at={asked.at} options={options} chosen={chosen} onChoose={onChoose} onClose={dismiss} />;
    }
  }
}
