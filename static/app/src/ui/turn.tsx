/** Small buttons at the top of what one looks at. */
import { Icon } from "./icons.tsx";

/** Something that is on or off, such as watching. */
export function Turn({ of, on, title, onClick }: { of: "eye" | "star"; on: boolean; title: string; onClick: () => void }) {
  return (
    <button type="button" class={on ? "mini turned" : "mini"} aria-pressed={on} aria-label={title} title={title} onClick={onClick}>
      <Icon of={of} />
    </button>
  );
}

/** What else can be done. */
export function Dots({ title, onClick }: { title: string; onClick: (at: Element) => void }) {
  return (
    <button type="button" class="mini" title={title} aria-label={title} onClick={(event) => onClick(event.currentTarget)}>
      <Icon of="dots" />
    </button>
  );
}
