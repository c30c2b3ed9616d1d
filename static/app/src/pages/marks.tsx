/** Signs at pages and spaces. */
import { Icon } from "../ui/icons.tsx";

/** What programs call by a word. */
const NAMED: Readonly<Record<string, string>> = {
  tent: "⛺", book: "📖", rocket: "🚀", bulb: "💡", bug: "🐞", calendar: "📅", chart: "📈", check: "✅", flag: "🚩", gear: "⚙️", heart: "❤️", home: "🏠",
  key: "🔑", lock: "🔒", map: "🗺️", pin: "📌", question: "❓", star: "⭐", team: "👥", tool: "🛠️", warning: "⚠️", note: "📝", idea: "💡", fire: "🔥",
};

/** Those that one chooses from, with the words by which they are found. */
export const EMBLEMS = Object.entries(NAMED).filter(([word]) => word !== "idea");

export function Emblem({ of }: { of: string | null }) {
  const sign = of === null ? undefined : (NAMED[of] ?? (/^[\w -]+$/.test(of) ? undefined : of));
  return sign === undefined ? <Icon of="page" /> : <span class="emblem" aria-hidden="true">{sign}</span>;
}
