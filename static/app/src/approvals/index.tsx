/** Approvals in the app: what waits for others on an issue, and asking them. */
import style from "./style.css";

export { style };
export { AskApproval } from "./ask.tsx";
export { Approvals } from "./requests.tsx";
