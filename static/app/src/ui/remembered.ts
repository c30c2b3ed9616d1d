/** What this browser remembers of how its person works, by names. One that keeps nothing remembers until the tab is closed. */

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Null: as it was at first. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // It keeps nothing.
  }
}
