/** Whether somebody put the first steps aside, in this browser; one that keeps nothing shows them at the next visit. */
import { remember, remembered } from "../../ui/remembered.ts";

const NAME = "kbwork.started";

export function isDismissed(): boolean {
  return remembered(NAME) !== null;
}

export function setDismissed(on: boolean): void {
  remember(NAME, on ? "1" : null);
}
