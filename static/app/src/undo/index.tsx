/** What one changed lately, to be looked over and taken back; fetched when somebody asks for it. */
import style from "./style.css";

export { style };
export { UndoEntry } from "./entry.tsx";
export { UndoHistory } from "./history.tsx";
