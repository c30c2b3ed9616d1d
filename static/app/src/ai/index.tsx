/** What models propose about an issue, before somebody applies it, and what one asks them. */
import style from "./style.css";

export { style };
export { Proposals } from "./proposals.tsx";
export { AskModel } from "./ask.tsx";
export { OwnKey } from "./key.tsx";
