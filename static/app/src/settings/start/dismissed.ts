/** Whether somebody put the first steps aside, in this browser. */
const NAME = "kbwork.started";

export function isDismissed(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false; // the browser keeps nothing
  }
}

export function setDismissed(on: boolean): void {
  try {
    if (on) localStorage.setItem(NAME, "1");
    else localStorage.removeItem(NAME);
  } catch {
    // As above: it comes back with the next visit.
  }
}
