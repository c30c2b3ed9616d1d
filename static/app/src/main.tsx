/** Where the app begins. */
import { render } from "preact";
import { ACTIONS } from "./screens/actions.ts";
import { followAnswer } from "./filter/answer.ts";
import { followView } from "./filter/view.ts";
import { fetchTheRest, Shell } from "./screens/shell.tsx";
import { start } from "./store/follow.ts";
import { listen, offer } from "./ui/commands.ts";

offer(ACTIONS);
listen();
followView();
followAnswer();
render(<Shell />, document.getElementById("app")!);
void start();
setTimeout(() => fetchTheRest().catch(() => undefined)); // who needs it without a network is told then
