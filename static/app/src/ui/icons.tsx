/** Small drawings: each tells by its shape alone what its colour says, too. */
import type { Category, Lane, Priority } from "../store/kinds.ts";

/** Of a pie in the middle, from noon on. As a path: a circle that is turned would be a thing of its own to the compositor. */
function slice(part: number): string {
  const angle = 2 * Math.PI * Math.min(part, 0.999);
  return `M7 7V3.5A3.5 3.5 0 ${part > 0.5 ? 1 : 0} 1 ${7 + 3.5 * Math.sin(angle)} ${7 - 3.5 * Math.cos(angle)}Z`;
}

/** A circle that fills as the work goes on. `part`: how far along its lanes in progress, 0 to 1. */
export function LaneIcon({ lane, part = 0.5 }: { lane: Lane | undefined; part?: number }) {
  const look = lane ? lookOf(lane) : "todo";
  return (
    <svg class={`mark lane-${look}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {look === "backlog" && <circle class="stroke" cx="7" cy="7" r="5.5" stroke-dasharray="2 2.3" />}
      {look === "todo" && <circle class="stroke" cx="7" cy="7" r="5.5" />}
      {look === "triage" && (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.5" />
          <path class="stroke" d="M7 4v3.5M7 9.8v.2" />
        </>
      )}
      {look === "doing" && (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.5" />
          <path d={slice(part)} fill="currentColor" />
        </>
      )}
      {look === "done" && (
        <>
          <circle cx="7" cy="7" r="6.25" fill="currentColor" />
          <path class="cut stroke" d="M4.2 7.2 6.2 9.2 9.9 5.2" />
        </>
      )}
      {look === "cancelled" && (
        <>
          <circle class="stroke" cx="7" cy="7" r="5.5" />
          <path class="stroke" d="M4.8 9.2 9.2 4.8" />
        </>
      )}
    </svg>
  );
}

function lookOf(lane: Lane): "backlog" | "todo" | "triage" | "doing" | "done" | "cancelled" {
  if (lane.category === "done") return lane.outcome === "completed" || lane.outcome === null ? "done" : "cancelled";
  if (lane.category === "triage") return "triage";
  if (lane.category === "in_progress") return "doing";
  return lane.key === "backlog" ? "backlog" : "todo";
}

const BARS: Record<Category | Priority, number> = {
  triage: 0, todo: 0, in_progress: 0, done: 0,
  none: 0, low: 1, medium: 2, high: 3, urgent: 4,
};

export function PriorityIcon({ priority }: { priority: Priority }) {
  if (priority === "urgent") {
    return (
      <svg class="mark urgent" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <rect x="1" y="1" width="12" height="12" rx="3" fill="currentColor" />
        <path class="cut stroke" d="M7 3.8v3.7M7 10v.2" />
      </svg>
    );
  }
  return (
    <svg class="mark bars" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {[1, 2, 3].map((bar) => (
        <rect key={bar} class={bar <= BARS[priority] ? "full" : ""} x={bar * 4 - 3} y={11 - bar * 3} width="3" height={bar * 3 + 1} rx="1" />
      ))}
    </svg>
  );
}

/** Two letters on one of twelve grounds, chosen by who it is. */
export function Avatar({ id, name, agent = false }: { id: string; name: string; agent?: boolean }) {
  const letters = name.split(/\s+/).filter(Boolean);
  const shown = (letters.length > 1 ? letters[0]![0]! + letters.at(-1)![0]! : name.slice(0, 2)).toUpperCase();
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 12;
  return (
    <span class={`avatar hue-${sum}${agent ? " agent" : ""}`} title={name} aria-hidden="true">
      {shown}
    </span>
  );
}

const PATHS = {
  search: "M6.2 10.4a4.2 4.2 0 1 0 0-8.4 4.2 4.2 0 0 0 0 8.4ZM9.3 9.3l3 3",
  mine: "M7 7a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 7 7ZM2 12.2c.6-2.3 2.6-3.6 5-3.6s4.4 1.3 5 3.6",
  all: "M2 3.5h10M2 7h10M2 10.5h10",
  project: "M2 3.2h3.6l1.2 1.6H12v6.4H2Z",
  sprint: "M10.8 4.2A4.8 4.8 0 1 0 11.8 7M11.8 1.8v2.8H9",
  view: "M2 3h10L8.4 7.4v4L5.6 12.6V7.4Z",
  board: "M2 2.5h4v9H2zM8 2.5h4v5H8z",
  plus: "M7 2.5v9M2.5 7h9",
  close: "m3.5 3.5 7 7m0-7-7 7",
  comment: "M2 3h10v6.5H6.5L4 11.8V9.5H2Z",
  clip: "m11.5 6.5-4.6 4.6a2.6 2.6 0 0 1-3.7-3.7l5-5a1.7 1.7 0 0 1 2.4 2.4l-4.8 4.8a.8.8 0 0 1-1.1-1.1l4.2-4.2",
  check: "m3 7.4 2.6 2.6L11 4.4",
  blocked: "M7 12.2A5.2 5.2 0 1 0 7 1.8a5.2 5.2 0 0 0 0 10.4ZM3.5 3.5l7 7",
  help: "M5 5.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M7 10.9v.2",
  out: "M8.5 2H12v3.5M12 2 6.5 7.5M10 8v4H2V4h4",
  menu: "M2 4h10M2 7h10M2 10h10",
  link: "M5.8 8.2a2.3 2.3 0 0 0 3.3 0l2-2a2.3 2.3 0 0 0-3.3-3.3l-.8.8M8.2 5.8a2.3 2.3 0 0 0-3.3 0l-2 2a2.3 2.3 0 0 0 3.3 3.3l.8-.8",
  inbox: "M2 8.2 3.6 3h6.8L12 8.2V11H2ZM2 8.2h2.8l.8 1.4h2.8l.8-1.4H12",
  eye: "M1.5 7S3.5 3.2 7 3.2 12.5 7 12.5 7 10.5 10.8 7 10.8 1.5 7 1.5 7ZM7 8.6a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Z",
  star: "m7 1.8 1.6 3.3 3.6.5-2.6 2.5.6 3.6L7 10l-3.2 1.7.6-3.6L1.8 5.6l3.6-.5Z",
  dots: "M2.4 7a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M6.4 7a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M10.4 7a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0",
  flag: "M3 12.5V2M3 2.6c2.4-1.4 4.6 1.2 8.5 0v5.6c-3.9 1.2-6.1-1.4-8.5 0",
  page: "M3.4 1.8h4.8l2.4 2.4v8H3.4ZM8 1.8v2.6h2.6M5.3 7h3.4M5.3 9.4h3.4",
  next: "m5.5 3.5 3.5 3.5-3.5 3.5",
  less: "m3.5 5.5 3.5 3.5 3.5-3.5",
  settings: "M2 4h5M10 4h2M2 10h2M7 10h5M7 4a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M4 10a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0",
} as const;

export function Icon({ of }: { of: keyof typeof PATHS }) {
  return (
    <svg class="icon" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d={PATHS[of]} />
    </svg>
  );
}
