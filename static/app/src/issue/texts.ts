/** The words of an issue's page. */
import { ownNamed, ownText } from "../issues/own.tsx";
import { tables } from "../store/tables.ts";
import { day, PRIORITIES } from "../ui/texts.ts";

export const words = {
  activity: "Activity",
  showHistory: "Show what was changed",
  hideHistory: "Hide what was changed",
  newSince: "New since you looked last",
  checklist: "Checklist",
  fromTemplate: "From a template",
  noTemplate: "There is no template of a checklist: admins make them in settings.",
  progress: (done: number, all: number) => `${done} of ${all}`,
  addItem: "Add an item",
  addItemWhat: "Add an item; a list that is pasted becomes one item a line",
  deleteItem: (text: string) => `Delete “${text}”`,
  item: (text: string) => `Item “${text}”`,
  below: "Below it",
  addBelow: "Add one below",
  related: "Related",
  relate: "Relate to an issue",
  relateHow: (key: string) => `How does ${key} stand to it?`,
  relateWhat: "Key or words of the other issue",
  unrelate: (key: string) => `Relate it to ${key} no more`,
  files: "Files",
  attach: "Attach files",
  attachWhat: "Or paste a picture, or drop files here.",
  detach: (name: string) => `Delete ${name}`,
  requestOf: (name: string) => `Request of ${name}`,
  channel: (by: string | null) => (by ? `It came in by ${by === "email" ? "mail" : by}` : "A request of a customer"),
  textChanged: "Somebody else changed this text meanwhile. Yours takes its place if you save.",
  writeRich: "Write rich",
  writeMarkdown: "Write Markdown",
  watch: "Watch",
  unwatch: "Watch no more",
  star: "Star",
  unstar: "Take the star away",
  more: "More",
  copyLink: "Copy link",
  archive: "Archive",
  archived: "Archived",
  spam: "This is spam",
  spamAndBlock: "Spam: block who sent it",
  toTrash: "Move to the trash",
  trashed: (key: string) => `${key} is in the trash`,
  locked: "Locked",
  lock: "Lock comments",
  unlock: "Unlock comments",
  copy: "Make a copy",
  copied: (key: string) => `Copy of ${key}`,
  privateMark: "Not everybody sees it",
  created: "made this",
  set: "set",
  changed: "changed",
  cleared: "cleared",
  from: "from",
  to: "to",
} as const;

/** Fields as the history names them. */
const FIELDS: Readonly<Record<string, string>> = {
  status: "status", title: "title", body: "description", priority: "priority", assignees: "assignees", labels: "labels",
  components: "components", parent: "parent", estimate: "estimate", start_date: "start", due_date: "due date",
  type: "type", project: "project", sprint: "sprint", outcome: "outcome", reporter: "reporter", level: "who sees it", archived: "archive",
};

export function fieldName(field: string): string {
  return ownNamed(field)?.name ?? FIELDS[field] ?? field.replaceAll("_", " ");
}

/** What a field held, as people read it. `nameOf`: people by their id. */
export function valueText(field: string, value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined || value === "") return "";
  const own = ownNamed(field);
  if (own) return ownText(own, value);
  if (Array.isArray(value)) return value.map((one) => valueText(field, one, nameOf)).join(", ");
  if (typeof value === "string") {
    if (field === "assignees" || field === "reporter") return nameOf(value);
    if (field === "priority") return PRIORITIES[value as keyof typeof PRIORITIES] ?? value;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return day(value);
    return value;
  }
  if (field === "sprint") return tables.sprint.watch(Number(value))?.name ?? String(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
