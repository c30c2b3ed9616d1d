/** What sets own fields, fetched when there are such fields to be set. */
export { OwnEditor } from "./editor.tsx";
export { OwnEditorOfIssue } from "./of_issue.tsx";
export { OwnOfMany } from "./of_many.tsx";
