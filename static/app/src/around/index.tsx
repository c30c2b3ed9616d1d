/** What stands around an issue, fetched behind it. */
import style from "./style.css";

export { style };
export { Flags, Mentions } from "./named.tsx";
export { Present } from "./present.tsx";
