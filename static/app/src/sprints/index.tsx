/** Sprints in the app: what one is for and how far it is, and the dialogs that make, change, start and complete one. */
import style from "./style.css";

export { style };
export { SprintDialog } from "./dialog.tsx";
export { SprintHead } from "./head.tsx";
