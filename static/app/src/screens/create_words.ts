/** The words of making an issue from a template. */
import { number } from "../ui/texts.ts";

const many = (count: number, one: string, more: string): string => `${number(count)} ${count === 1 ? one : more}`;

export const words = {
  template: "Template",
  none: "No template",
  brings: (name: string) => `“${name}” adds when it is made:`,
  text: "its text",
  woven: "its text, with yours in it",
  checklists: (count: number) => many(count, "checklist", "checklists"),
  children: (count: number) => many(count, "issue below it", "issues below it"),
  ofTable: "It is of a table: its first column is taken.",
  importIt: "Bring in all columns",
} as const;
