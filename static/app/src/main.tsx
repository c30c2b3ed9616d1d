/** Where the app begins. */
import { render } from "preact";
import { ACTIONS } from "./screens/actions.ts";
import { followViews } from "./screens/saved.ts";
import { Shell } from "./screens/shell.tsx";
import { start } from "./store/follow.ts";
import { listen, offer } from "./ui/commands.ts";

offer(ACTIONS);
listen();
followViews();
render(<Shell />, document.getElementById("app")!);
void start();
