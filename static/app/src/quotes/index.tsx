/** Comments on words of a text; fetched when such a text is read. */
import style from "./style.css";

export { style };
export { Quoted, Quoting } from "./quoted.tsx";
export { Remarks } from "./remarks.tsx";
