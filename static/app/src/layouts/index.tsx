/** Issues laid out otherwise than as list or board, fetched when somebody wants to see them so. */
import type { Layout } from "../ui/places.ts";
import { Calendar } from "./calendar.tsx";
import style from "./style.css";
import { Table } from "./table.tsx";
import { Timeline } from "./timeline.tsx";

export { style };

const LAYOUTS = { table: Table, calendar: Calendar, timeline: Timeline } as const;

export function Laid({ as }: { as: Exclude<Layout, "list" | "board"> }) {
  const Of = LAYOUTS[as];
  return <Of />;
}
