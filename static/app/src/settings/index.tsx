/** Settings. */
import { TopBar } from "../ui/topbar.tsx";
import style from "./style.css";

export { style };

export function Screen({ path }: { path: readonly string[] }) {
  return (
    <>
      <TopBar title="Settings" />
      <p class="meta pad">{path.join("/")}</p>
    </>
  );
}
