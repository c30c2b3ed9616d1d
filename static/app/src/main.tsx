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
import { warm } from "./ui/texts.ts";

const started = start(); // what is asked for is on its way while the frame is drawn
offer(ACTIONS);
listen();
followView();
followAnswer();
render(<Shell />, document.getElementById("app")!);
setTimeout(warm);
void started.then(createShared);

/** So long what comes behind the first rows waits for them at most: a server that is away may be away for a day. */
const PATIENCE_MS = 2_000;
void Promise.race([started, new Promise((go) => setTimeout(go, PATIENCE_MS))]).then(() =>
  setTimeout(() => {
    fetchTheRest().catch(() => undefined); // who needs it without a network is told then
    register();
  }),
);
