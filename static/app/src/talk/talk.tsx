/** What is written and said within looks as it does everywhere, whatever room it is in. */
import type { ComponentChildren } from "preact";
import { dress } from "../ui/later.tsx";
import style from "./style.css";

dress(style);

export function Talk({ children }: { children: ComponentChildren }) {
  return <div class="scope scope-talk">{children}</div>;
}
