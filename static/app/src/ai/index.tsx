/** What models propose about an issue: what would change, before somebody applies it. */
import style from "./style.css";

export { style };
export { Proposals } from "./proposals.tsx";
