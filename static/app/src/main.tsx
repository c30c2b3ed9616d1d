/** Where the app begins. */
import { render } from "preact";
import { followAnswer } from "./filter/answer.ts";
import { followView } from "./filter/view.ts";
import { createShared } from "./issues/asked.ts";
import { ACTIONS } from "./screens/actions.ts";
import { fetchTheRest } from "./screens/parts.tsx";
import { Shell } from "./screens/shell.tsx";
import { register } from "./screens/worker.ts";
import { start } from "./store/follow.ts";
import { listen, offer } from "./ui/commands.ts";

offer(ACTIONS);
listen();
followView();
followAnswer();
render(<Shell />, document.getElementById("app")!);
void start().then(createShared);
setTimeout(() => {
  fetchTheRest().catch(() => undefined); // who needs it without a network is told then
  register();
});
