/** What could stand where the cursor is, in the order in which keys walk it. */
import type { CSSProperties } from "preact";

interface OfferedProps<T> {
  /** The options are called after it, each with its place. */
  readonly id: string;
  readonly label: string;
  readonly list: readonly T[];
  /** Place of the one that is chosen. */
  readonly on: number;
  readonly onTake: (one: T) => void;
  /** Where it stands, where it may be long. */
  readonly at?: CSSProperties;
}

export function Offered<T extends { readonly title: string; readonly hint: string }>({ id, label, list, on, onTake, at: place }: OfferedProps<T>) {
  return (
    <ul class="options offered" role="listbox" id={id} aria-label={label} {...(place && { tabIndex: 0, style: place })}>
      {list.map((one, at) => (
        <li
          key={one.title}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === on}
          class={at === on ? "on" : ""}
          onPointerDown={(event) => {
            event.preventDefault(); // the focus stays
            onTake(one);
          }}
        >
          <span class="grow cut">{one.title}</span>
          <span class="meta">{one.hint}</span>
        </li>
      ))}
    </ul>
  );
}
