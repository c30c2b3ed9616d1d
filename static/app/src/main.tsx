/** Where the app begins. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { followAnswer } from "./filter/answer.ts";
import { followView } from "./filter/view.ts";
import { createShared } from "./issues/asked.ts";
import { ACTIONS } from "./screens/actions.ts";
import { fetchTheRest } from "./screens/parts.tsx";
import { Shell } from "./screens/shell.tsx";
import { register } from "./screens/worker.ts";
import { isBlank } from "./store/disk.ts";
import { start } from "./store/follow.ts";
import { ready } from "./store/session.ts";
import { listen, offer } from "./ui/commands.ts";
import { warm } from "./ui/texts.ts";

/** So long the frame waits for what was kept at most, to be drawn once with it. */
const SOON_MS = 200;
/** So long what comes behind the first rows waits for them at most: a server that is away may be away for a day. */
const PATIENCE_MS = 2_000;

const started = start(); // what is asked for is on its way while the frame is drawn
offer(ACTIONS);
listen();
followView();
followAnswer();
if (isBlank()) draw();
else void within(SOON_MS, new Promise<void>((go) => effect(() => void (ready.value && go())))).then(draw);
setTimeout(warm);
void started.then(createShared);
void within(PATIENCE_MS, started).then(() =>
  setTimeout(() => {
    fetchTheRest().catch(() => undefined); // who needs it without a network is told then
    register();
  }),
);

function draw(): void {
  render(<Shell />, document.getElementById("app")!);
}

/** Settles with the work, or after so long. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((go) => setTimeout(go, ms))]);
}
