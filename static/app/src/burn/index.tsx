/** How a sprint goes, day by day and beside those before it, and who can do how much in it. */
import style from "./style.css";

export { style };
export { SprintCapacity } from "./capacity.tsx";
export { SprintBurn } from "./report.tsx";
