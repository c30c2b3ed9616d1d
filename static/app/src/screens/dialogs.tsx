/** The dialogs, which are fetched behind the first screen. */
import { type Asked, dismiss } from "../issues/asked.ts";
import { FieldPicker } from "../issues/field_picker.tsx";
import { Picker } from "../ui/picker.tsx";
import { CreateDialog } from "./create.tsx";
import { Help } from "./help.tsx";
import { Palette } from "./palette.tsx";
import { ProjectDialog } from "./project.tsx";

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
    case "field":
      return <FieldPicker asked={asked} />;
    case "choice": {
      const options = asked.options.map(({ title, run }) => ({ title, value: title, run }));
      const onChoose = (title: string): void => options.find((option) => option.value === title)?.run();
      return <Picker label={asked.label} at={asked.at} options={options} chosen={[]} onChoose={onChoose} onClose={dismiss} />;
    }
  }
}
