/** Flags. */
import { TopBar } from "../ui/topbar.tsx";
import style from "./style.css";

export { style };

export function Screen({ path }: { path: readonly string[] }) {
  return (
    <>
      <TopBar title="Flags" />
      <p class="meta pad">{path.join("/")}</p>
    </>
  );
}
