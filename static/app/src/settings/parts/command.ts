/** What the rest of the app does, by the name of its command: so that none of its screens comes with this room. */
import { commands } from "../../ui/commands.ts";

export function command(id: "new-project" | "create"): void {
  commands.peek().find((one) => one.id === id)?.run();
}
