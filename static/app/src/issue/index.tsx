/** What the page of an issue is made of, fetched behind the first screen. */
import "./ahead.ts";
import style from "./style.css";

export { style };
export { IssueView } from "./view.tsx";
